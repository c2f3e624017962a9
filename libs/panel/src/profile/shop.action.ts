import type { PlaceProfileService, ProfileChange } from '#places';
import type { FormField, PanelAction } from '#panel-kit';
import { currentPanelRequest, formAction, textOf } from '#panel-kit';
import { profileWords } from './profile.words.js';
import { refusable } from '../forms/refusals.js';

/** The settings of the public pages on which tickets are sold, with the kind of their field. */
const settings = {
  terms: 'textarea',
  privacy: 'textarea',
  imprint: 'textarea',
  payAtVenueHours: 'text',
  bookingConfirmation: 'select',
  fewLeft: 'text',
  donations: 'text',
  giftCards: 'text',
  giftCardYears: 'text',
  allowedSites: 'textarea',
} as const satisfies Readonly<Record<string, FormField['kind']>>;

type Setting = keyof typeof settings;
const names = Object.keys(settings) as Setting[];
const numbers: ReadonlySet<Setting> = new Set(['payAtVenueHours', 'fewLeft', 'giftCardYears']);
const mayBeEmpty: ReadonlySet<Setting> = new Set(['payAtVenueHours', 'giftCardYears']);

/** The action that changes the settings of the shop on one page. */
export function shopAction(profiles: PlaceProfileService): PanelAction {
  return formAction({
    icon: 'ShoppingBag',
    form: async () => {
      const { properties, messages, values } = profileWords(currentPanelRequest().language);
      const profile = await profiles.read();
      const fields = names.map((name) => ({
        name,
        kind: settings[name],
        label: properties?.[name] ?? name,
        help: messages?.[`${name}Help`] ?? '',
        value: String(profile[name] ?? ''),
        ...(name === 'bookingConfirmation' && { required: true, options: optionsOf(values?.[name]) }),
      }));
      return { lead: [messages?.['shopLead'] ?? ''], fields, submit: messages?.['shopDo'] ?? '' };
    },
    act: async (_, values) => {
      const given = names.filter((name) => values[name] !== undefined).map((name) => [name, textOf(values[name]).trim()] as const);
      const change = given.map(([name, text]) => [name, numbers.has(name) ? numberOf(name, text) : text] as const);
      await refusable(() => profiles.change(Object.fromEntries(change) as ProfileChange));
      return { message: 'shopDone' };
    },
  });
}

const optionsOf = (labels: Readonly<Record<string, string>> = {}): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @returns NaN, which is refused, for a text that is no number */
function numberOf(name: Setting, text: string): number | null {
  if (text === '') return mayBeEmpty.has(name) ? null : NaN;
  return Number(text);
}
