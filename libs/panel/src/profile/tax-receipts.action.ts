import type { PlaceProfileService, ProfileChange } from '#places';
import type { FormField, PanelAction } from '#panel-kit';
import { currentPanelRequest, formAction, PanelFieldError, textOf } from '#panel-kit';
import { profileWords } from './profile.words.js';
import { refusable } from '../forms/refusals.js';

/** What French tax receipts for donations say of the venue, with the kind of their field. */
const settings = {
  taxReceiptArticles: 'text',
  taxReceiptName: 'text',
  taxReceiptObject: 'text',
  taxReceiptSigner: 'text',
} as const satisfies Readonly<Record<string, FormField['kind']>>;

export const taxReceiptFields = Object.keys(settings) as (keyof typeof settings)[];

/** The action in which a venue declares that it may issue tax receipts. */
export function taxReceiptsAction(profiles: PlaceProfileService): PanelAction {
  return formAction({
    icon: 'FileText',
    form: async () => {
      const { properties, messages } = profileWords(currentPanelRequest().language);
      const profile = await profiles.read();
      const fields = taxReceiptFields.map((name) => ({
        name,
        kind: settings[name],
        label: properties?.[name] ?? name,
        help: messages?.[`${name}Help`] ?? '',
        value: profile[name] ?? '',
      }));
      return { lead: [messages?.['taxReceiptsLead'] ?? ''], fields, submit: messages?.['taxReceiptsDo'] ?? '' };
    },
    act: async (_, values) => {
      const given = taxReceiptFields
        .filter((name) => values[name] !== undefined)
        .map((name) => [name, textOf(values[name]).trim()] as const);
      const change = Object.fromEntries(given) as ProfileChange;
      const { streetAddress, city, taxReceiptObject } = await profiles.read();
      if (change.taxReceiptArticles && !(streetAddress && city))
        throw new PanelFieldError({ taxReceiptArticles: { message: 'noAddress' } });
      if (change.taxReceiptArticles && !(change.taxReceiptObject ?? taxReceiptObject))
        throw new PanelFieldError({ taxReceiptObject: { message: 'noObject' } });
      await refusable(() => profiles.change(change));
      return { message: 'taxReceiptsDone' };
    },
  });
}
