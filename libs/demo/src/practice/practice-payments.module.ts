import { Module } from '@nestjs/common';
import { PaymentsModule } from '#payments';
import { PracticePages } from './practice-pages.js';
import { PracticePayController } from './practice-pay.controller.js';
import { PracticePayProvider } from './practice-pay.provider.js';

/** The provider of payments that only a demo has: `DemoModule` imports it with `DEMO=on` on `localhost`, and nothing else does. */
@Module({
  imports: [PaymentsModule],
  controllers: [PracticePayController],
  providers: [PracticePages, PracticePayProvider],
})
export class PracticePaymentsModule {}
