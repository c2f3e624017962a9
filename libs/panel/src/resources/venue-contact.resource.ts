import { isEmail } from '#kernel';
import type { PlaceProfileService } from '#places';
import { currentTenant } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import { currentPanelRequest } from '../panel-request.js';
import { PanelFieldError } from '../panel-source.js';
import type { PanelRow, PanelSource } from '../panel-source.js';
import { boxOfficeRefusals } from './box-office.words.js';
import { textOf } from './form-values.js';
import { inBoth } from './resource-words.js';

/** The one there is. */
const ID = 'contact';

/** Where guests write to: the address that answers to the venue's mails go to. */
export function venueContactResource(profiles: PlaceProfileService): PanelEntry {
  const row = async (): Promise<PanelRow> => ({
    id: ID,
    name: currentTenant().name,
    email: (await profiles.read()).email,
  });
  const source: PanelSource = {
    id: 'contact',
    properties: [
      { name: 'id', type: 'string', isId: true },
      { name: 'name', type: 'string', isTitle: true, editable: false, sortable: false },
      { name: 'email', type: 'email', sortable: false, help: 'emailHelp' },
    ],
    find: async ({ offset }) => (offset > 0 ? [] : [await row()]),
    count: () => Promise.resolve(1),
    findOne: async (id) => (id === ID ? row() : null),
    findMany: async (ids) => (ids.includes(ID) ? [await row()] : []),
    update: async (id, values) => {
      if (id !== ID) return null;
      const email = textOf(values['email']).trim();
      if (email !== '' && !isEmail(email))
        throw new PanelFieldError({ email: { message: boxOfficeRefusals.email[currentPanelRequest().language] } });
      await profiles.change({ email: email || null });
      return row();
    },
  };
  return {
    source,
    group: 'settings',
    icon: 'Mail',
    list: ['name', 'email'],
    show: ['email'],
    edit: ['email'],
    filter: [],
    words: inBoth((language) => words[language]),
  };
}

const words = {
  en: {
    plural: 'Contact',
    singular: 'Contact',
    properties: { name: 'Name', email: 'E-mail', id: 'Identifier' },
    messages: {
      emailHelp: 'Guests’ answers to mails with tickets go there; it stands on the public pages and in calendars.',
    },
  },
  fr: {
    plural: 'Contact',
    singular: 'Contact',
    properties: { name: 'Nom', email: 'E-mail', id: 'Identifiant' },
    messages: {
      emailHelp:
        'Les réponses aux e-mails de billets y arrivent ; elle figure sur les pages publiques et dans les calendriers.',
    },
  },
};
