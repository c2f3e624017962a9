import { FormFiles, Redirection, Reply, SameOriginGuard, TakesForm } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import {
  formCategories,
  isFormPublic,
  profileTexts,
  SignupConfirmationService,
  SignupLinks,
  SignupMailsService,
  SignupRequestsService,
  type PlaceForm,
} from '#places';
import { Access, FirstMetaOnly } from '#tenancy';
import { Body, Controller, Get, Post, Query, UseGuards, Ip } from '@nestjs/common';
import { closedPage, overPage, sentPage } from './confirm.page.js';
import { NewPlaceAnswersService } from './new-place-answers.service.js';
import { reader } from '#page-kit';
import { fileFields, formFields, readFields } from './new-place-form.dto.js';
import { NewPlaceFormsService } from './new-place-forms.service.js';

type Files = Partial<Record<(typeof fileFields)[number], Buffer>>;

type Shown = Reply<string> | Redirection;

/** The person who fills in a form: anybody, or an invited person. */
interface Invited {
  /** Token of the invitation; empty without one. */
  readonly token: string;
  readonly id?: string;
  readonly email?: string;
}

/** The form for a new place, on the first Meta: for everybody, or for invited people (`TENANT_FORM`). */
@Controller('tenant/new')
@FirstMetaOnly()
export class NewPlaceController {
  constructor(
    private readonly links: SignupLinks,
    private readonly requests: SignupRequestsService,
    private readonly confirmation: SignupConfirmationService,
    private readonly mails: SignupMailsService,
    private readonly forms: NewPlaceFormsService,
    private readonly answers: NewPlaceAnswersService,
  ) {}

  @Get()
  @Access('public')
  async show(@Query() query: unknown): Promise<Shown> {
    const textOf = reader(query);
    const invited = await this.mayFill(textOf('invitation'));
    if (isAnswered(invited)) return invited;
    const token = this.links.tokenOf('form', this.requests.begin());
    const form = emptyForm(textOf('name'), invited.email ?? textOf('email'));
    return this.forms.show({ form, token, id: invited.id, invitation: invited.token });
  }

  @Get('sent')
  @Access('public')
  async sent(@Query() query: unknown): Promise<Shown> {
    const { settings } = this.answers;
    if (settings.tenantForm === 'off') throw kernelProblem('route.unknown');
    const link = this.mails.demoLink(reader(query)('form'));
    const operator = await this.answers.venue();
    return this.answers.answer(sentPage(currentLanguage(), settings, { delivers: this.mails.delivers, link, operator }));
  }

  @Post()
  @Access('public', 'tenantForm')
  @UseGuards(SameOriginGuard)
  @TakesForm({ files: fileFields, required: formFields })
  async send(@Body() body: unknown, @FormFiles() files: Files, @Ip() client: string): Promise<Shown> {
    const sent = readFields(body);
    const invited = await this.mayFill(sent.invitation);
    if (isAnswered(invited)) return invited;
    // A form with an unknown or missing token gets a new id.
    const id = invited.id ?? this.links.idOf('form', sent.token) ?? this.requests.begin();
    const form = { ...sent.form, email: invited.email ?? sent.form.email };
    const shown = { form, id, token: this.links.tokenOf('form', id), invitation: invited.token };
    const submission = {
      id,
      form,
      removed: sent.removed,
      pictures: { files, addresses: { image: form.imageUrl, logo: form.logoUrl } },
      client,
      language: currentLanguage(),
    };
    if (sent.wantsCheck) {
      const faults = await this.requests.keepPictures(submission);
      return this.forms.check(shown, faults);
    }
    const outcome = await this.requests.send(submission);
    if (outcome.kind === 'faults') return this.forms.refuse(shown, outcome.faults);
    if (outcome.kind === 'over') return this.answers.answer(overPage(currentLanguage(), true), 410);
    if (outcome.kind === 'sent') {
      const { token } = shown;
      const isShown = this.mails.demoLink(token) !== undefined;
      return new Redirection(303, `/tenant/new/sent${isShown ? `?form=${encodeURIComponent(token)}` : ''}`);
    }
    await this.confirmation.confirm(id, client);
    return new Redirection(303, this.links.confirmationPath(id));
  }

  /**
   * The person who fills in the form; undefined when the request is already answered, because nobody may or the invitation is used.
   * @throws Problem 404 `route.unknown` while the form is disabled
   */
  private async mayFill(token: string): Promise<Invited | Shown> {
    const { settings } = this.answers;
    const isPublic = isFormPublic(settings);
    if (settings.tenantForm === 'off') throw kernelProblem('route.unknown');
    const language = currentLanguage();
    if (token === '') return isPublic ? { token } : this.answers.answer(closedPage(language), 403);
    const id = this.links.idOf('invitation', token);
    const invitation = id === undefined ? undefined : await this.requests.invitation(id);
    if (id === undefined || !invitation) return this.answers.answer(overPage(language, isPublic), 410);
    if (invitation.isUsed) return new Redirection(303, this.links.confirmationPath(id));
    return { token, id, email: invitation.email };
  }
}

function isAnswered(value: Invited | Shown): value is Shown {
  return value instanceof Reply || value instanceof Redirection;
}

function emptyForm(name: string, email: string): PlaceForm {
  const empty = {
    category: formCategories[0]!,
    shortDescription: '',
    phone: '',
    website: '',
    streetAddress: '',
    postalCode: '',
    city: '',
    country: '',
    imageUrl: '',
    logoUrl: '',
    slug: '',
  };
  const { name: longestName, email: longestEmail } = profileTexts;
  return {
    ...empty,
    name: name.slice(0, longestName),
    email: email.slice(0, longestEmail),
    showEmail: false,
    terms: false,
    language: currentLanguage(),
    timeZone: '',
  };
}
