import type { Reply } from '#http';
import { currentLanguage, type RefusedInput } from '#kernel';
import { needsApproval, SignupMailsService, SignupPicturesService, SubDomainsService, type PlaceForm } from '#places';
import { Injectable } from '@nestjs/common';
import { NewPlaceAnswersService } from './new-place-answers.service.js';
import { faultsByField } from './new-place-form.dto.js';
import { newPlacePage } from './new-place.page.js';
import type { ShownForm } from './new-place-sections.js';
import { newPlaceWords } from './new-place.words.js';

/** A form that is being filled in. */
export interface BegunForm {
  readonly form: PlaceForm;
  /** Id under which its images are stored; undefined: none are. */
  readonly id?: string | undefined;
  /** Token of the form, needed to submit it. */
  readonly token: string;
  /** Token of the invitation; empty without one. */
  readonly invitation: string;
}

type Shown = Partial<Pick<ShownForm, 'faults' | 'freeHost' | 'suggestions' | 'checked'>>;

/** Shows the form for a new place with its current values. */
@Injectable()
export class NewPlaceFormsService {
  constructor(
    private readonly pictures: SignupPicturesService,
    private readonly subDomains: SubDomainsService,
    private readonly answers: NewPlaceAnswersService,
    private readonly mails: SignupMailsService,
  ) {}

  async show(begun: BegunForm, shown: Shown = {}, status = 200): Promise<Reply<string>> {
    const { form, id, token, invitation } = begun;
    const language = currentLanguage();
    const { settings } = this.answers;
    const { hasTerms, hasPrivacy, hasImprint } = await this.answers.venue();
    const { terms } = newPlaceWords[language];
    const kept = id === undefined ? {} : await this.pictures.thumbnails(id);
    const page = newPlacePage({
      // Stored images need not be downloaded again.
      form: { ...form, imageUrl: kept.image ? '' : form.imageUrl, logoUrl: kept.logo ? '' : form.logoUrl },
      language,
      faults: new Map(),
      suggestions: [],
      checked: false,
      kept,
      suffix: this.subDomains.suffix,
      hidden: { form: token, ...(invitation !== '' && { invitation }) },
      invited: invitation !== '',
      legal: [
        ...(hasTerms ? [[terms.readTerms, '/terms'] as const] : []),
        ...(hasPrivacy ? [[terms.readPrivacy, '/privacy'] as const] : []),
        ...(hasImprint ? [[terms.readImprint, '/imprint'] as const] : []),
      ],
      isMailed: this.mails.delivers,
      hours: settings.tenantFormHours,
      approval: needsApproval(settings, { invited: invitation !== '' }),
      ...shown,
    });
    return this.answers.answer(page, status);
  }

  /** Shows the form with all faults. */
  refuse(begun: BegunForm, faults: readonly RefusedInput[]): Promise<Reply<string>> {
    return this.show(begun, { faults: faultsByField(faults) }, 400);
  }

  /** Shows whether the sub-domain is free; without one it is derived from the name. @param faults of images in the same request */
  async check(begun: BegunForm, faults: readonly RefusedInput[]): Promise<Reply<string>> {
    const { form } = begun;
    const typed = form.slug.trim() !== '' || form.name.trim() !== '';
    if (!typed) return this.show(begun, { checked: true, faults: faultsByField(faults) });
    const identity = this.subDomains.identityOf(form);
    const found = await this.subDomains.faults(identity, form.city);
    const isFree = !found.some(({ field }) => field === 'slug');
    const all = faultsByField([...found.filter(({ field }) => field === 'slug' || form.name.trim() !== ''), ...faults]);
    const suggestions = isFree ? [] : await this.subDomains.suggestions(identity, form.city);
    return this.show(
      { ...begun, form: { ...form, slug: identity.slug } },
      { checked: true, suggestions, faults: all, ...(isFree && { freeHost: identity.host }) },
    );
  }
}
