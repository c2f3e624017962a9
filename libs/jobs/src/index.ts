export { LoopService } from './engine/loop-service.js';
export { tenantsAtLimit, WorkLoop } from './engine/work-loop.js';
export { jobEntities, JobsModule } from './jobs.module.js';
export { JobQueueService } from './queue/job-queue.service.js';
export { JobRunner } from './queue/job-runner.js';
export {
  JobPostponed,
  JobRefused,
  jobsInsert,
  JobsService,
  jobValues,
  type JobAttempt,
  type JobTime,
  type JobWork,
  type NewJob,
} from './queue/jobs.service.js';
export { TenantMoveJobs } from './scheduled/tenant-move-jobs.js';
export { TaskSchedulerService } from './scheduled/task-scheduler.service.js';
