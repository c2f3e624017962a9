import { Images } from '#catalogue';
import { languages } from '#kernel';
import { pictureFields, PlaceProfileService } from '#places';
import type { PlaceProfile, ProfileChange } from '#places';
import { categories, currentTenant } from '#tenancy';
import type {
  PanelAction,
  PanelEntry,
  PanelProperty,
  PanelRow,
  PanelSource,
  PanelValue,
  ResourceProvider,
} from '#panel-kit';
import { isChecked, inBoth, PanelResource } from '#panel-kit';
import { pictureAction, shownPicture } from '../forms/picture.action.js';
import { profileWords } from './profile.words.js';
import { refusable } from '../forms/refusals.js';
/** The one there is. */
const ID = 'profile';

const texts = [
  'name', 'shortDescription', 'longDescription', 'streetAddress', 'postalCode', 'city', 'country', 'phone', 'email', 'website',
  'twitter', 'facebook', 'instagram', 'restaurantMenu', 'legalDocuments', 'imprint', 'terms', 'language', 'timeZone',
] as const; // prettier-ignore
const flags = ['membershipRequired', 'membershipButton'] as const;
const form = [...texts.slice(0, 13), ...flags, ...texts.slice(13)];

/** Each picture has an action that sends it. */
type PictureName = keyof typeof pictureFields;

const zones = ['Europe/Paris', 'Europe/Brussels', 'Europe/London', 'Indian/Reunion', 'America/Martinique', 'America/Montreal', 'UTC']; // prettier-ignore

const property = (name: string, more: Partial<PanelProperty> = {}): PanelProperty => ({ name, type: 'string', sortable: false, ...more }); // prettier-ignore

/** What the place says of itself: on its pages, in mails, on tickets and in the server's list of places. */
@PanelResource({ panels: 'tenant', position: 160 })
export class ProfileResource implements ResourceProvider {
  constructor(
    private readonly profiles: PlaceProfileService,
    private readonly images: Images,
  ) {}

  entry(): PanelEntry {
    const { profiles, images } = this;
    const source: PanelSource = {
      id: 'profile',
      properties: [
        { name: 'id', type: 'string', isId: true },
        property('name', { isTitle: true, required: true, help: 'nameHelp' }),
        property('category', { editable: false, availableValues: Object.keys(categories), help: 'categoryHelp' }),
        property('shortDescription', { help: 'shortDescriptionHelp' }),
        property('longDescription', { type: 'textarea', help: 'htmlHelp' }),
        ...['streetAddress', 'postalCode', 'city'].map((name) => property(name)),
        property('country', { help: 'countryHelp' }),
        property('phone'),
        property('email', { type: 'email', help: 'emailHelp' }),
        property('website', { type: 'url' }),
        property('twitter', { help: 'socialHelp' }),
        property('facebook'),
        property('instagram', { help: 'socialHelp' }),
        property('membershipRequired', { type: 'boolean', help: 'membershipRequiredHelp' }),
        property('membershipButton', { type: 'boolean', help: 'membershipButtonHelp' }),
        property('restaurantMenu', { help: 'linkHelp' }),
        property('legalDocuments', { help: 'legalDocumentsHelp' }),
        property('imprint', { type: 'textarea', help: 'imprintHelp' }),
        property('terms', { type: 'textarea', help: 'termsHelp' }),
        property('language', { required: true, availableValues: languages, help: 'languageHelp' }),
        property('timeZone', { required: true, suggestedValues: zones, help: 'timeZoneHelp' }),
        ...Object.keys(pictureFields).map((name) => property(name, { type: 'mixed', editable: false, components: { show: 'Picture' } })), // prettier-ignore
      ],
      find: async ({ offset }) => (offset > 0 ? [] : [toRow(await profiles.read())]),
      count: () => Promise.resolve(1),
      findOne: async (id) => (id === ID ? toRow(await profiles.read()) : null),
      findMany: async (ids) => (ids.includes(ID) ? [toRow(await profiles.read())] : []),
      update: async (id, values) =>
        id === ID ? toRow(await refusable(() => profiles.change(changeOf(values)))) : null,
    };
    return {
      source,
      group: 'settings',
      icon: 'Info',
      list: ['name', 'email', 'phone', 'city'],
      show: ['category', ...form, ...Object.keys(pictureFields)],
      edit: form,
      filter: [],
      actions: Object.fromEntries(Object.keys(pictureFields).map((name) => [name, sending(name as PictureName, profiles, images)])), // prettier-ignore
      words: inBoth(profileWords),
    };
  }
}

function sending(name: PictureName, profiles: PlaceProfileService, images: Images): PanelAction {
  return pictureAction(
    images,
    async () => (await profiles.read())[pictureFields[name]],
    (_, picture) => profiles.change({ [name]: picture }),
  );
}

function toRow(profile: PlaceProfile): PanelRow {
  const shown = Object.fromEntries(form.map((name) => [name, profile[name]]));
  const seen = Object.entries(pictureFields).map(([name, column]): [string, PanelValue] => [name, shownPicture(profile[column])]); // prettier-ignore
  return { id: ID, category: currentTenant().category, ...shown, ...Object.fromEntries(seen) };
}

/** A form sends all of its fields, other programs what they change. */
function changeOf(values: PanelRow): ProfileChange {
  const given = texts.filter((name) => values[name] !== undefined);
  const marked = flags.filter((name) => values[name] !== undefined);
  return Object.fromEntries([
    ...given.map((name) => [name, values[name] ?? '']),
    ...marked.map((name) => [name, isChecked(values[name])]),
  ]) as ProfileChange;
}
