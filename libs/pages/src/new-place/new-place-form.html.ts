import { dotted, escapeHtml, type Language } from '#kernel';
import { approvalDays, formCategories, type FormPicture, type PlaceForm } from '#places';
import { categories, isTimeZone } from '#tenancy';
import { countryChoices, languageChoices, zoneChoices } from './choices.js';
import { type Field, checkboxHtml, faultHtml, faulty, inputHtml, selectHtml, textareaHtml, written } from '#page-kit';
import { newPlaceWords } from './new-place.words.js';

/** The data that the form shows. */
export interface ShownForm {
  readonly form: PlaceForm;
  readonly language: Language;
  /** By field name. */
  readonly faults: ReadonlyMap<string, string>;
  /** Smallest sizes of the stored images, as WebP. */
  readonly kept: Partial<Record<FormPicture, Buffer>>;
  /** `.example.org` */
  readonly suffix: string;
  /** The checked host, which is free. */
  readonly freeHost?: string | undefined;
  /** Suggested free sub-domains. */
  readonly suggestions: readonly string[];
  /** Whether the sub-domain was just checked: the page then scrolls to it. */
  readonly checked: boolean;
  /** Hidden fields. */
  readonly hidden: Readonly<Record<string, string>>;
  /** The e-mail address is known and cannot be changed. */
  readonly invited: boolean;
  /** Links to the documents to accept. */
  readonly legal: readonly (readonly [text: string, path: string])[];
  readonly hours: number;
  /** Operators decide after the confirmation. */
  readonly approval: boolean;
}

/** The form for a new place. Works without scripts. */
export function newPlaceFormHtml(shown: ShownForm): string {
  const { language, hidden, invited, hours, approval } = shown;
  const words = newPlaceWords[language];
  const hiddenFields = Object.entries(hidden).map(([name, value]) => `<input${written({ type: 'hidden', name, value })}>`);
  const next = approval ? words.nextApproval(approvalDays) : words.next;
  // The Enter key activates the first button of a form; this one submits it.
  return `<form class="sheet" method="post" action="/tenant/new/" enctype="multipart/form-data" novalidate>
${hiddenFields.join('')}<button class="implied" name="action" value="send"
  tabindex="-1" aria-hidden="true">${escapeHtml(words.send)}</button>
${kindHtml(shown)}
${aboutHtml(shown)}
${youHtml(shown)}
${whereHtml(shown)}
${picturesHtml(shown)}
${settingsHtml(shown)}
<div class="closing">
${termsHtml(shown)}
<p><button class="button" name="action" value="send">${escapeHtml(invited ? words.sendInvited : words.send)}</button></p>
<p class="hint">${escapeHtml(invited ? words.nextInvited : next)} ${escapeHtml(words.privacy(hours))}</p>
</div>
</form>`;
}

function fieldset(legend: string, ...parts: readonly string[]): string {
  return `<fieldset>\n<legend>${escapeHtml(legend)}</legend>\n${parts.join('\n')}\n</fieldset>`;
}

function kindHtml({ form, language, faults }: ShownForm): string {
  const fault = faults.get('category');
  const options = formCategories.map((code) => {
    const { label, description } = categories[code];
    const id = `category-${code}`;
    const attributes = {
      type: 'radio',
      id,
      name: 'category',
      value: code,
      required: true,
      checked: form.category === code,
      ...faulty('category', fault),
    };
    return (
      `<div class="choice"><input${written(attributes)}><label for="${id}"><strong>${escapeHtml(label[language])}</strong> ` +
      `<span>${escapeHtml(description[language])}</span></label></div>`
    );
  });
  return `<fieldset id="category" tabindex="-1" class="kinds${fault === undefined ? '' : ' wrong'}">
<legend>${escapeHtml(newPlaceWords[language].kind.legend)}</legend>
${faultHtml('category', fault)}${options.join('\n')}
</fieldset>`;
}

/** Creates a field with its fault by its name. */
function fieldOf({ faults, language }: ShownForm): (name: string, label: string, more?: { hint?: string; optional?: boolean }) => Field {
  const { optional: word } = newPlaceWords[language];
  return (name, label, { hint, optional } = {}) => ({
    name,
    label,
    fault: faults.get(name),
    ...(hint !== undefined && { hint }),
    ...(optional && { optional: word }),
  });
}

function aboutHtml(shown: ShownForm): string {
  const { form, language, suffix, freeHost, suggestions } = shown;
  const { about, address, optional } = newPlaceWords[language];
  const field = fieldOf(shown);
  const result = freeHost === undefined ? '' : `<p class="good" id="slug-free" role="status">${escapeHtml(address.free(freeHost))}</p>`;
  const list = suggestions.map((slug) => `<option value="${escapeHtml(slug)}"></option>`).join('');
  const around = `<span class="suffixed">{}<span aria-hidden="true">${escapeHtml(suffix)}</span></span>
<datalist id="slugs">${list}</datalist>${result}
<button class="button quiet" name="action" value="check" formaction="/tenant/new/#slug">${escapeHtml(address.check)}</button>`;
  return fieldset(
    about.legend,
    inputHtml(field('name', about.name, { hint: about.nameHint }), {
      value: form.name,
      required: true,
      maxlength: 200,
      autocomplete: 'organization',
    }),
    textareaHtml(field('short_description', about.text, { hint: about.textHint }), form.shortDescription, {
      rows: 3,
      required: true,
      maxlength: 1000,
    }),
    inputHtml(
      { ...field('slug', address.label, { hint: address.hint(suffix) }), optional },
      {
        value: form.slug,
        maxlength: 100,
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
        list: 'slugs',
        ...(freeHost !== undefined && { 'aria-describedby': 'slug-free slug-hint' }),
      },
      around,
    ),
  );
}

function youHtml(shown: ShownForm): string {
  const { form, language, invited, faults } = shown;
  const { you } = newPlaceWords[language];
  const field = fieldOf(shown);
  return fieldset(
    you.legend,
    inputHtml(field('email', you.email, { hint: invited ? you.emailInvited : you.emailHint }), {
      type: 'email',
      value: form.email,
      required: true,
      maxlength: 254,
      autocomplete: 'email',
      autocapitalize: 'none',
      spellcheck: 'false',
      readonly: invited,
    }),
    checkboxHtml({ name: 'show_email', label: you.showEmail, fault: faults.get('show_email') }, form.showEmail),
    inputHtml(field('phone', you.phone, { optional: true }), { type: 'tel', value: form.phone, maxlength: 40, autocomplete: 'tel' }),
    inputHtml(field('website', you.website, { optional: true }), {
      type: 'text',
      inputmode: 'url',
      value: form.website,
      maxlength: 2000,
      autocomplete: 'url',
      autocapitalize: 'none',
      spellcheck: 'false',
    }),
  );
}

function whereHtml(shown: ShownForm): string {
  const { form, language } = shown;
  const { where } = newPlaceWords[language];
  const field = fieldOf(shown);
  const optional = { optional: true };
  const code = inputHtml(field('postal_code', where.code, optional), {
    value: form.postalCode,
    maxlength: 20,
    autocomplete: 'postal-code',
  });
  const city = inputHtml(field('city', where.city, optional), { value: form.city, maxlength: 200, autocomplete: 'address-level2' });
  return fieldset(
    where.legend,
    inputHtml(field('street', where.street, optional), {
      value: form.streetAddress,
      maxlength: 300,
      autocomplete: 'street-address',
    }),
    `<div class="pair">${code}\n${city}</div>`,
    selectHtml(
      field('country', where.country, optional),
      form.country,
      countryChoices(language),
      { autocomplete: 'country' },
      where.noCountry,
    ),
  );
}

function picturesHtml(shown: ShownForm): string {
  const { pictures } = newPlaceWords[shown.language];
  return fieldset(
    pictures.legend,
    `<p class="hint">${escapeHtml(pictures.hint)}</p>`,
    pictureHtml(shown, 'image', pictures.image, pictures.imageHint),
    pictureHtml(shown, 'logo', pictures.logo, pictures.logoHint),
  );
}

function pictureHtml(shown: ShownForm, name: FormPicture, label: string, hint: string): string {
  const { form, kept, language } = shown;
  const { pictures, optional } = newPlaceWords[language];
  const field = fieldOf(shown);
  const url = `${name}_url`;
  const thumbnail = kept[name];
  const keptText = escapeHtml(pictures.kept);
  const present = thumbnail
    ? `<div class="kept"><img src="data:image/webp;base64,${thumbnail.toString('base64')}" alt="" height="75"><p>${keptText}</p></div>
${checkboxHtml({ name: `remove_${name}`, label: pictures.remove }, false, { 'aria-label': `${label}: ${pictures.remove}` })}`
    : '';
  const address = {
    type: 'text',
    inputmode: 'url',
    value: name === 'image' ? form.imageUrl : form.logoUrl,
    maxlength: 2000,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  };
  return `<fieldset class="picture-field">
<legend>${escapeHtml(label)} <span class="optional">(${escapeHtml(optional)})</span></legend>
<p class="hint">${escapeHtml(hint)}</p>
${present}
${inputHtml(field(name, pictures.file), { type: 'file', accept: 'image/jpeg,image/png,image/webp,image/gif,image/avif' })}
${inputHtml(field(url, pictures.url), address)}
</fieldset>`;
}

function settingsHtml(shown: ShownForm): string {
  const { form, language } = shown;
  const { settings } = newPlaceWords[language];
  const field = fieldOf(shown);
  return fieldset(
    settings.legend,
    selectHtml(field('language', settings.language), form.language, languageChoices(), { required: true }),
    selectHtml(field('time_zone', settings.timeZone), form.timeZone, zoneChoices(isTimeZone(form.timeZone) ? form.timeZone : 'UTC'), {
      required: true,
    }),
  );
}

function termsHtml({ form, language, faults, legal }: ShownForm): string {
  const { terms } = newPlaceWords[language];
  const links = legal.map(([text, path]) => `<a href="${path}" target="_blank" rel="noopener">${escapeHtml(text)}</a>`);
  const read = links.length > 0 ? `<p class="hint">${escapeHtml(terms.links)} ${dotted(links)}</p>\n` : '';
  return `${read}${checkboxHtml({ name: 'terms', label: terms.label, fault: faults.get('terms') }, form.terms, { required: true })}`;
}
