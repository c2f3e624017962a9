import { Redirection, SameOriginGuard, TakesForm, type Reply } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import { isFormPublic, SignupConfirmationService, SignupLinks, type SignupChange, type SignupStatus } from '#places';
import { Access, FirstMetaOnly, tenantUrl } from '#tenancy';
import { Body, Controller, Get, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { awaitedPage, closedPage, confirmPage, createdPage, overPage } from './confirm.page.js';
import { NewPlaceAnswersService } from './new-place-answers.service.js';
import { reader } from '#page-kit';

/**
 * Pages for people with a form’s link. Creating the tenant, or asking operators for it, needs a POST, because programs that check mails
 * follow links.
 */
@Controller('tenant/new/:id/:mark')
@FirstMetaOnly()
export class ConfirmController {
  constructor(
    private readonly links: SignupLinks,
    private readonly confirmation: SignupConfirmationService,
    private readonly answers: NewPlaceAnswersService,
  ) {}

  @Get()
  @Access('public')
  async show(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<string> | Redirection> {
    this.demandLink(id, mark);
    return this.answer(id, await this.confirmation.status(id));
  }

  @Post()
  @Access('public', 'tenantForm')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['name', 'slug'] })
  async confirm(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
  ): Promise<Reply<string> | Redirection> {
    this.demandLink(id, mark);
    if (this.answers.settings.tenantForm === 'off') return this.answers.answer(closedPage(currentLanguage()), 403);
    const status = await this.confirmation.confirm(id, client, changeOf(body));
    const isDone = status.kind === 'created' || (status.kind === 'confirmed' && status.faults.length === 0);
    if (isDone) return new Redirection(303, this.links.confirmationPath(id));
    return this.answer(id, status, 409);
  }

  /** A new administrator goes on in the panel of the new tenant: there the browser keeps the password, and the session begins. */
  private async answer(id: string, found: SignupStatus, status?: number): Promise<Reply<string> | Redirection> {
    const language = currentLanguage();
    const { settings } = this.answers;
    if (found.kind === 'over') return this.answers.answer(overPage(language, isFormPublic(settings)), 410);
    if (found.kind === 'created') {
      if (found.passwordPath !== undefined) return new Redirection(303, tenantUrl(settings, found.tenant, found.passwordPath));
      return this.answers.answer(createdPage(found, settings, language), status);
    }
    const page = found.kind === 'confirmed' ? awaitedPage : confirmPage;
    return this.answers.answer(page(found, this.links.confirmationPath(id), language), status);
  }

  /** @throws Problem 404 `route.unknown` */
  private demandLink(id: string, mark: string): void {
    if (!this.links.confirms(id, mark)) throw kernelProblem('route.unknown');
  }
}

/** Another name and sub-domain, chosen because the first ones are taken; absent: as in the form. */
function changeOf(body: unknown): SignupChange {
  const textOf = reader(body);
  const [name, slug] = [textOf('name'), textOf('slug')];
  return { ...(name !== '' && { name }), ...(slug !== '' && { slug }) };
}
