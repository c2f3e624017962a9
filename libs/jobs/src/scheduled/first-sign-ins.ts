import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SignInService, TenantDb } from '#tenancy';
import { JobsService } from '../queue/jobs.service.js';

const noteJob = 'first sign-in';

/** Notes first sign-ins that happened while a database server did not answer. */
@Injectable()
export class FirstSignIns implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly signIn: SignInService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(noteJob, (userId) => this.signIn.note(userId));
    this.signIn.onUnnoted((userId) => this.db.shared((tx) => this.jobs.add(tx, noteJob, userId)));
  }
}
