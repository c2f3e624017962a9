export { LoopService } from './engine/loop-service.js';
export { tenantsAtLimit, WorkLoop, type WorkLoopOptions } from './engine/work-loop.js';
export { jobEntities, JobsModule } from './jobs.module.js';
export { JobQueue } from './queue/job-queue.service.js';
export { JobRunner } from './queue/job-runner.js';
export { JobRefused, Jobs, type JobAttempt, type JobTime, type JobWork } from './queue/jobs.service.js';
export { TaskScheduler } from './scheduled/task-scheduler.service.js';
