import { Global, Module } from '@nestjs/common';
import { JobQueueService } from './queue/job-queue.service.js';
import { JobRunner } from './queue/job-runner.js';
import { Job } from './queue/job.entity.js';
import { JobsService } from './queue/jobs.service.js';
import { FirstSignIns } from './scheduled/first-sign-ins.js';
import { ScheduledTask } from './scheduled/scheduled-task.entity.js';
import { TenantMoveJobs } from './scheduled/tenant-move-jobs.js';
import { TaskSchedulerService } from './scheduled/task-scheduler.service.js';

export const jobEntities = [Job, ScheduledTask];

const services = [JobsService, JobQueueService, JobRunner, TaskSchedulerService, TenantMoveJobs, FirstSignIns];

/** Global, as every lib adds jobs. */
@Global()
@Module({ providers: services, exports: services })
export class JobsModule {}
