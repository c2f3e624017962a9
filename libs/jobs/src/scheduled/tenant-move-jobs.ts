import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LOGGER, type Logger } from '#kernel';
import { TenantDb, TenantMovesService } from '#tenancy';
import { JobsService } from '../queue/jobs.service.js';

const moveJob = 'tenant move';

/** Moves tenants to other database servers in the background. The job is one of the tenant that asks, because those of the other wait. */
@Injectable()
export class TenantMoveJobs implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly moves: TenantMovesService,
    private readonly jobs: JobsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(moveJob, (id) => this.carryOut(id));
  }

  /** Asks for a move, in a transaction of the current tenant. @throws RefusedInput on tenant or node */
  async request(id: string, to: number): Promise<void> {
    await this.moves.check(id, to);
    await this.db.transaction(async (tx) => {
      await this.moves.want(tx, id, to);
      await this.jobs.add(tx, moveJob, id);
    });
  }

  /** Repeated after the death of its process, it goes on. */
  private async carryOut(id: string): Promise<void> {
    const wanted = await this.moves.wantedOf(id);
    // Its process died after the switch, or somebody else has moved it.
    if (!wanted) return this.moves.removeOldCopiesOf(id);
    try {
      const { slug, from, to, rows, closedMs } = await this.moves.move(id, wanted.to);
      this.logger.info({ tenant: slug, from, to, rows, closedMs }, 'tenant moved');
    } catch (error) {
      this.logger.warn({ err: error, tenant: wanted.slug, to: wanted.to }, 'tenant not moved');
      await this.moves.giveUp(wanted, error);
      // It could not be opened, either: tried again.
      if ((await this.moves.wantedOf(id))?.isClosed) throw error;
    }
  }
}
