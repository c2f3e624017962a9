import { Controller, Get, Redirect } from '@nestjs/common';
import { Access } from '#tenancy';

/** The bare address leads to the panel until a public page stands there. */
@Controller()
@Access('public')
export class HomeController {
  @Get()
  @Redirect('/admin', 302)
  home(): void {
    // The decorator answers.
  }
}
