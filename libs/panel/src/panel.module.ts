import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

@Module({})
export class PanelModule {}

/** Puts the panel at `/admin`; called before `app.init`, behind the tenant middleware. */
export async function mountPanel(_app: NestExpressApplication): Promise<void> {
  // Phase 2.
}
