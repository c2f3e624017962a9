import type { PlaceProfileService, ProfileChange } from '#places';
import type { FormField, PanelAction } from '#panel-kit';
import { currentPanelRequest, formAction, textOf } from '#panel-kit';
import { profileWords } from './profile.words.js';
import { refusable } from '../forms/refusals.js';

/** The settings of the public pages on which tickets are sold, with the kind of their field. */
const settings = {
  terms: 'textarea',
  imprint: 'textarea',
  accentColour: 'text',
  payAtVenueHours: 'text',
  allowedSites: 'textarea',
} as const satisfies Readonly<Record<string, FormField['kind']>>;

type Setting = keyof typeof settings;
const names = Object.keys(settings) as Setting[];

/** The action that changes the settings of the shop on one page. The logo has its own action. */
export function shopAction(profiles: PlaceProfileService): PanelAction {
  return formAction({
    icon: 'ShoppingBag',
    form: async () => {
      const { properties, messages } = profileWords(currentPanelRequest().language);
      const profile = await profiles.read();
      const fields = names.map((name) => ({
        name,
        kind: settings[name],
        label: properties?.[name] ?? name,
        help: messages?.[`${name}Help`] ?? '',
        value: String(profile[name] ?? ''),
      }));
      return { lead: [messages?.['shopLead'] ?? ''], fields, submit: messages?.['shopDo'] ?? '' };
    },
    act: async (_, values) => {
      const given = names.filter((name) => values[name] !== undefined).map((name) => [name, textOf(values[name]).trim()] as const);
      const hours = given.find(([name]) => name === 'payAtVenueHours')?.[1];
      const change = { ...Object.fromEntries(given), ...(hours !== undefined && { payAtVenueHours: hours === '' ? null : Number(hours) }) };
      await refusable(() => profiles.change(change as ProfileChange));
      return { message: 'shopDone' };
    },
  });
}
