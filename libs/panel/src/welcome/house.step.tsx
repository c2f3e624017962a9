import { isZoneOfCountry, languageFacts, usualAccent, type Language } from '#kernel';
import { countryChoices, zoneChoices } from '#pages';
import { currentPanelRequest, PlainField, recordHref, type RefusedForm } from '#panel-kit';
import { currentTenant } from '#tenancy';
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
  const country = typed?.['country'] ?? address?.addressCountry ?? profile.country ?? usualCountry();
  const zone = typed?.['timeZone'] ?? storedZone(profile.country);
  const field = (name: 'name' | 'streetAddress' | 'postalCode' | 'city', autocomplete: string, required = true): VNode => (
    <PlainField
      name={name}
      label={house[name]}
      fault={faults.get(name)}
      attributes={{ value: typed?.[name] ?? stored[name], autocomplete, maxlength: 200, required }}
    />
  );
  const choice = (name: 'country' | 'timeZone', label: string, choices: ReturnType<typeof countryChoices>, value: string): VNode => (
    <PlainField
      name={name}
      label={label}
      fault={faults.get(name)}
      control={(common) => (
        <select {...common} autocomplete={name === 'country' ? 'country' : 'off'}>
          {choices.map(([code, text]) => (
            <option value={code} selected={code === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
  const shows = typed ? typed['showEmail'] !== undefined : profile.email !== null && profile.email === currentPanelRequest().user?.email;
  return (
    <form method="post" action={`${welcomePath}/house`} enctype="multipart/form-data" novalidate>
      {field('name', 'organization')}
      <p class="gt-help">{house.addressHelp}</p>
      {field('streetAddress', 'street-address')}
      <div class="gt-welcome-pair">
        {field('postalCode', 'postal-code', false)}
        {field('city', 'address-level2')}
      </div>
      {choice('country', house.country, countryChoices(language), country)}
      {choice('timeZone', house.timeZone, zoneChoices(language, zone, country), zone)}
      <label class="gt-check">
        <input type="checkbox" name="showEmail" value="yes" checked={shows} />
        <span>{house.showEmail}</span>
      </label>
      <PlainField
        name="accentColour"
        label={house.accentColour}
        hint={house.accentHelp}
        fault={faults.get('accentColour')}
        attributes={{ type: 'color', class: 'gt-welcome-colour', value: typed?.['accentColour'] ?? stored['accentColour'] ?? '' }}
      />
      {(profile.imprint === null || profile.privacy === null) && (
        <p class="gt-help">
          {house.legal} <a href={recordHref('profile', 'profile', 'edit')}>{house.addLegal}</a>
        </p>
      )}
      <button class="gt-button" type="submit">
        {save}
      </button>
    </form>
  );
}

/** Empty: the zone is, or will be, that of the country. */
function storedZone(country: string | null): string {
  const { timeZone } = currentTenant();
  return country === null || isZoneOfCountry(timeZone, country) ? '' : timeZone;
}

/** The country that most places of the tenant's language are in. */
const usualCountry = (): string => languageFacts[currentTenant().language].country;
