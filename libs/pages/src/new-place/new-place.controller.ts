import { FormFiles, SameOriginGuard, TakesForm } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import { profileTexts, SignupConfirmation, SignupLinks, SignupMails, SignupRequests, type PlaceForm } from '#places';
import { Access, currentTenant, FirstMetaOnly } from '#tenancy';
import { Body, Controller, Get, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { closedPage, overPage, sentPage } from './confirm.page.js';
import { NewPlaceAnswers } from './new-place-answers.service.js';
import { fileFields, formFields, readFields, reader } from './new-place-form.dto.js';
import { NewPlaceForms } from './new-place-forms.service.js';

type Files = Partial<Record<(typeof fileFields)[number], Buffer>>;

/** Who fills in a form: everybody, or who was invited. */
interface Invited {
  /** Of the invitation; empty without one. */
  readonly token: string;
  readonly id?: string;
  readonly email?: string;
}

/** The form of a new place, on the first Meta: for everybody, or for who was invited (`TENANT_FORM`). */
@Controller('tenant/new')
@FirstMetaOnly()
export class NewPlaceController {
  constructor(
    private readonly links: SignupLinks,
    private readonly requests: SignupRequests,
    private readonly confirmation: SignupConfirmation,
    private readonly mails: SignupMails,
    private readonly forms: NewPlaceForms,
    private readonly answers: NewPlaceAnswers,
  ) {}

  @Get()
  @Access('public')
  async show(@Query() query: unknown, @Res() response: Response): Promise<void> {
    const textOf = reader(query);
    const invited = await this.mayFill(response, textOf('invitation'));
    if (!invited) return;
    const token = this.links.tokenOf('form', this.requests.begin());
    const form = emptyForm(textOf('name'), invited.email ?? textOf('email'));
    await this.forms.show(response, { form, token, id: invited.id, invitation: invited.token });
  }

  @Get('sent')
  @Access('public')
  async sent(@Res() response: Response): Promise<void> {
    const { tenantForm, tenantFormHours } = this.answers.settings;
    if (tenantForm === 'off') throw kernelProblem('route.unknown');
    await this.answers.answer(response, sentPage(currentLanguage(), tenantFormHours, this.mails.delivers));
  }

  @Post()
  @Access('public', 'tenantForm')
  @UseGuards(SameOriginGuard)
  @TakesForm({ files: fileFields, required: formFields })
  async send(
    @Body() body: unknown,
    @FormFiles() files: Files,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const sent = readFields(body);
    const invited = await this.mayFill(response, sent.invitation);
    if (!invited) return;
    // A form that this server did not begin, or whose token was lost, begins anew.
    const id = invited.id ?? this.links.idOf('form', sent.token) ?? this.requests.begin();
    const form = { ...sent.form, email: invited.email ?? sent.form.email };
    const shown = { form, id, token: this.links.tokenOf('form', id), invitation: invited.token };
    const submission = {
      id,
      form,
      removed: sent.removed,
      pictures: { files, addresses: { image: form.imageUrl, logo: form.logoUrl } },
      client: request.ip,
      language: currentLanguage(),
    };
    if (sent.wantsCheck) {
      const faults = await this.requests.keepPictures(submission);
      return this.forms.check(response, shown, faults);
    }
    const outcome = await this.requests.send(submission);
    if (outcome.kind === 'faults') return this.forms.refuse(response, shown, outcome.faults);
    if (outcome.kind === 'over') return this.answers.answer(response, overPage(currentLanguage(), true), 410);
    if (outcome.kind === 'sent') return response.redirect(303, '/tenant/new/sent');
    await this.confirmation.confirm(id);
    response.redirect(303, this.links.confirmationPath(id));
  }

  /**
   * Who fills in the form; undefined when the request is answered, because nobody may or the invitation is used.
   * @throws Problem 404 `route.unknown` while the form is switched off
   */
  private async mayFill(response: Response, token: string): Promise<Invited | undefined> {
    const { tenantForm } = this.answers.settings;
    if (tenantForm === 'off') throw kernelProblem('route.unknown');
    const language = currentLanguage();
    if (token === '') {
      if (tenantForm === 'open') return { token };
      await this.answers.answer(response, closedPage(language), 403);
      return undefined;
    }
    const id = this.links.idOf('invitation', token);
    const invitation = id === undefined ? undefined : await this.requests.invitation(id);
    if (id === undefined || !invitation) {
      await this.answers.answer(response, overPage(language, tenantForm === 'open'), 410);
    } else if (invitation.isUsed) {
      response.redirect(303, this.links.confirmationPath(id));
    } else {
      return { token, id, email: invitation.email };
    }
    return undefined;
  }
}

function emptyForm(name: string, email: string): PlaceForm {
  const empty = { category: '', shortDescription: '', phone: '', website: '', streetAddress: '', postalCode: '', city: '', country: '', imageUrl: '', logoUrl: '', slug: '' }; // prettier-ignore
  const { timeZone } = currentTenant();
  const { name: longestName, email: longestEmail } = profileTexts;
  return {
    ...empty,
    name: name.slice(0, longestName),
    email: email.slice(0, longestEmail),
    showEmail: true,
    terms: false,
    language: currentLanguage(),
    timeZone,
  };
}
