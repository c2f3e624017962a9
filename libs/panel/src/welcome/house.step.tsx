import { usualAccent, type Language } from '#kernel';
import { countryChoices } from '#pages';
import { currentPanelRequest, type RefusedForm } from '#panel-kit';
import type { VNode } from 'preact';
import { welcomePath } from './welcome.path.js';
import type { WelcomeFacts } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

/** What was typed, by the name of the field. */
type Typed = RefusedForm['typed'];

interface HouseProps {
  readonly facts: WelcomeFacts;
  readonly language: Language;
  readonly typed: Typed | undefined;
  readonly faults: ReadonlyMap<string, string>;
}

/** The form of the first step: name, address, colour. */
export function HouseStep({ facts, language, typed, faults }: HouseProps): VNode {
  const { house, save } = welcomeWords[language];
  const { profile, address } = facts;
  const stored: Typed = {
    name: profile.name,
    streetAddress: address?.streetAddress ?? profile.streetAddress ?? '',
    postalCode: address?.postalCode ?? profile.postalCode ?? '',
    city: address?.addressLocality ?? profile.city ?? '',
    accentColour: profile.accentColour ?? usualAccent,
  };
  const field = (name: 'name' | 'streetAddress' | 'postalCode' | 'city', autocomplete: string, isRequired = true): VNode => (
    <Field name={name} label={house[name]} fault={faults.get(name)}>
      <input
        id={name}
        name={name}
        value={typed?.[name] ?? stored[name]}
        autocomplete={autocomplete}
        maxlength={200}
        required={isRequired}
        {...faultOf(name, faults)}
      />
    </Field>
  );
  const country = typed?.['country'] ?? address?.addressCountry ?? profile.country ?? 'FR';
  const shows = typed ? typed['showEmail'] !== undefined : profile.email !== null && profile.email === currentPanelRequest().user?.email;
  return (
    <form method="post" action={`${welcomePath}/house`} enctype="multipart/form-data" novalidate>
      {field('name', 'organization')}
      {field('streetAddress', 'street-address')}
      <div class="gt-welcome-pair">
        {field('postalCode', 'postal-code', false)}
        {field('city', 'address-level2')}
      </div>
      <Field name="country" label={house.country} fault={faults.get('country')}>
        <select id="country" name="country" autocomplete="country" {...faultOf('country', faults)}>
          {countryChoices(language).map(([code, label]) => (
            <option value={code} selected={code === country}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <p class="gt-help">{house.addressHelp}</p>
      <label class="gt-check">
        <input type="checkbox" name="showEmail" value="yes" checked={shows} />
        <span>{house.showEmail}</span>
      </label>
      <Field name="accentColour" label={house.accentColour} fault={faults.get('accentColour')} help={house.accentHelp}>
        <input
          id="accentColour"
          name="accentColour"
          type="color"
          class="gt-welcome-colour"
          value={typed?.['accentColour'] ?? stored['accentColour']}
        />
      </Field>
      <button class="gt-button" type="submit">
        {save}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly fault: string | undefined;
  readonly help?: string;
  readonly children: VNode;
}

function Field({ name, label, fault, help, children }: FieldProps): VNode {
  return (
    <div class="gt-field">
      <label for={name}>{label}</label>
      {children}
      {help && <p class="gt-help">{help}</p>}
      {fault !== undefined && (
        <p class="gt-fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function faultOf(name: string, faults: ReadonlyMap<string, string>): object {
  return faults.has(name) ? { 'aria-invalid': true, 'aria-describedby': `${name}-fault` } : {};
}
