import type { Language } from '#kernel';
import { usualZone, type FormPicture, type PlaceForm } from '#places';
import type { ComponentChildren, VNode } from 'preact';
import { type Field, CheckboxField, InputField, OptionalMark, SelectField, TextareaField } from '#page-kit';
import { countryChoices, languageChoices, zoneChoices } from './choices.js';
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
  /** Whether this server sends mails. */
  readonly isMailed: boolean;
  /** Operators decide after the confirmation. */
  readonly approval: boolean;
}

/** Of a control for something that is not made of words: a phone does not correct it. */
const verbatim = { autocapitalize: 'none', spellcheck: 'false' } as const;

function Section({ legend, children }: { readonly legend: string; readonly children: ComponentChildren }): VNode {
  return (
    <fieldset>
      <legend class="display">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** Creates a field with its fault by its name. */
function fieldOf({ faults }: ShownForm): (name: string, label: string, more?: Pick<Field, 'hint' | 'optional'>) => Field {
  return (name, label, more = {}) => ({ name, label, fault: faults.get(name), ...more });
}

/** Name, description and address of the page. */
export function About(shown: ShownForm): VNode {
  const { form, language, suffix, freeHost } = shown;
  const { about, address } = newPlaceWords[language];
  const field = fieldOf(shown);
  return (
    <Section legend={about.legend}>
      <InputField
        field={field('name', about.name, { hint: about.nameHint })}
        attributes={{ value: form.name, required: true, maxlength: 200, autocomplete: 'organization' }}
      />
      <TextareaField
        field={field('short_description', about.text, { hint: about.textHint })}
        value={form.shortDescription}
        attributes={{ rows: 3, required: true, maxlength: 1000 }}
      />
      <InputField
        field={field('slug', address.label, { hint: address.hint(suffix), optional: true })}
        attributes={{
          value: form.slug,
          maxlength: 100,
          autocomplete: 'off',
          ...verbatim,
          list: 'slugs',
          ...(freeHost !== undefined && { 'aria-describedby': 'slug-free slug-hint' }),
        }}
        wrap={(control) => <SubDomain shown={shown} control={control} />}
      />
    </Section>
  );
}

/** The field of the sub-domain with the rest of the host, and with the check whether it is free. */
function SubDomain({ shown, control }: { readonly shown: ShownForm; readonly control: VNode }): VNode {
  const { language, suffix, freeHost, suggestions } = shown;
  const { address } = newPlaceWords[language];
  return (
    <>
      <span class="suffixed">
        {control}
        <span aria-hidden="true">{suffix}</span>
      </span>
      <datalist id="slugs">
        {suggestions.map((slug) => (
          <option value={slug} />
        ))}
      </datalist>
      {freeHost !== undefined && (
        <p class="notice good" id="slug-free" role="status">
          {address.free(freeHost)}
        </p>
      )}
      <button class="button other" name="action" value="check" formaction="/tenant/new/#slug">
        {address.check}
      </button>
    </>
  );
}

/** How to reach the person and the place. */
export function You(shown: ShownForm): VNode {
  const { form, language, invited, isMailed, faults } = shown;
  const { you } = newPlaceWords[language];
  const field = fieldOf(shown);
  return (
    <Section legend={you.legend}>
      <InputField
        field={field('email', you.email, { hint: invited ? you.emailInvited : isMailed ? you.emailHint : you.emailKept })}
        attributes={{
          type: 'email',
          value: form.email,
          required: true,
          maxlength: 254,
          autocomplete: 'email',
          ...verbatim,
          readonly: invited,
        }}
      />
      <CheckboxField field={{ name: 'show_email', label: you.showEmail, fault: faults.get('show_email') }} checked={form.showEmail} />
      <InputField
        field={field('phone', you.phone, { optional: true })}
        attributes={{ type: 'tel', value: form.phone, maxlength: 40, autocomplete: 'tel' }}
      />
      <InputField
        field={field('website', you.website, { optional: true })}
        attributes={{ inputmode: 'url', value: form.website, maxlength: 2000, autocomplete: 'url', ...verbatim }}
      />
    </Section>
  );
}

/** The postal address. */
export function Where(shown: ShownForm): VNode {
  const { form, language } = shown;
  const { where } = newPlaceWords[language];
  const field = (name: string, label: string): Field => fieldOf(shown)(name, label, { optional: true });
  return (
    <Section legend={where.legend}>
      <InputField
        field={field('street', where.street)}
        attributes={{ value: form.streetAddress, maxlength: 300, autocomplete: 'street-address' }}
      />
      <div class="pair">
        <InputField
          field={field('postal_code', where.code)}
          attributes={{ value: form.postalCode, maxlength: 20, autocomplete: 'postal-code' }}
        />
        <InputField field={field('city', where.city)} attributes={{ value: form.city, maxlength: 200, autocomplete: 'address-level2' }} />
      </div>
      <SelectField
        field={field('country', where.country)}
        value={form.country}
        choices={countryChoices(language)}
        attributes={{ autocomplete: 'country' }}
        empty={where.noCountry}
      />
    </Section>
  );
}

/** An image and a logo, as files or by their addresses. */
export function Pictures(shown: ShownForm): VNode {
  const { pictures } = newPlaceWords[shown.language];
  const { form, kept, faults } = shown;
  const isFilled = Object.keys(kept).length > 0 || form.imageUrl !== '' || form.logoUrl !== '';
  const isRefused = [...faults.keys()].some((name) => /^(image|logo)/.test(name));
  return (
    <Section legend={pictures.legend}>
      <details open={isFilled || isRefused}>
        <summary>
          {pictures.image}, {pictures.logo}
          <OptionalMark />
        </summary>
        <p class="hint">{pictures.hint}</p>
        <PictureFields shown={shown} name="image" label={pictures.image} hint={pictures.imageHint} url={form.imageUrl} />
        <PictureFields shown={shown} name="logo" label={pictures.logo} hint={pictures.logoHint} url={form.logoUrl} />
      </details>
    </Section>
  );
}

interface PictureProps {
  readonly shown: ShownForm;
  readonly name: FormPicture;
  readonly label: string;
  readonly hint: string;
  readonly url: string;
}

function PictureFields({ shown, name, label, hint, url }: PictureProps): VNode {
  const { pictures } = newPlaceWords[shown.language];
  const field = fieldOf(shown);
  const thumbnail = shown.kept[name];
  return (
    <fieldset class="picture-field">
      <legend>
        {label}
        <OptionalMark />
      </legend>
      <p class="hint">{hint}</p>
      {thumbnail && (
        <>
          <div class="kept">
            <img src={`data:image/webp;base64,${thumbnail.toString('base64')}`} alt="" height={75} />
            <p>{pictures.kept}</p>
          </div>
          <CheckboxField
            field={{ name: `remove_${name}`, label: pictures.remove }}
            checked={false}
            attributes={{ 'aria-label': `${label}: ${pictures.remove}` }}
          />
        </>
      )}
      <InputField
        field={field(name, pictures.file)}
        attributes={{ type: 'file', accept: 'image/jpeg,image/png,image/webp,image/gif,image/avif' }}
      />
      <InputField
        field={field(`${name}_url`, pictures.url)}
        attributes={{ inputmode: 'url', value: url, maxlength: 2000, autocomplete: 'off', ...verbatim }}
      />
    </fieldset>
  );
}

/** Language and time zone of the place, and the currency, which is the same for all. */
export function PlaceSettings(shown: ShownForm): VNode {
  const { form, language } = shown;
  const { settings } = newPlaceWords[language];
  const field = fieldOf(shown);
  return (
    <Section legend={settings.legend}>
      <SelectField
        field={field('language', settings.language)}
        value={form.language}
        choices={languageChoices()}
        attributes={{ required: true }}
      />
      <SelectField
        field={field('time_zone', settings.timeZone, { hint: settings.timeZoneHint(usualZone()) })}
        value={form.timeZone}
        choices={zoneChoices(language, form.timeZone, form.country)}
      />
      <p class="hint">{settings.currency}</p>
    </Section>
  );
}
