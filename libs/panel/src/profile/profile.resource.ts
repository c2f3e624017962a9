import { GalleriesService, ImagesService } from '#catalogue';
import { confirmationWays, languages } from '#kernel';
import { countryChoices, LookPagesService } from '#pages';
import { cornerShapes, pictureFields, PlaceProfileService, typefaces } from '#places';
import type { PlaceProfile, ProfileChange } from '#places';
import { categories, currentTenant } from '#tenancy';
import type { PanelAction, PanelEntry, PanelRow, PanelSource, PanelValue, PropertyDeclaration, ResourceProvider } from '#panel-kit';
import { declareProperties, isChecked, inEachLanguage, PanelResource } from '#panel-kit';
import { galleryAction } from '../forms/gallery.action.js';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { lookAction, lookFields } from './look.action.js';
import { profileWords } from './profile.words.js';
import { refusable } from '../forms/refusals.js';
import { shopAction } from './shop.action.js';
import { taxReceiptFields, taxReceiptsAction } from './tax-receipts.action.js';
/** The id of the only record. */
const ID = 'profile';

const texts = [
  'name',
  'shortDescription',
  'longDescription',
  'openingHours',
  'gettingHere',
  'accessibility',
  'accessContact',
  'streetAddress',
  'postalCode',
  'city',
  'country',
  'phone',
  'email',
  'website',
  'twitter',
  'facebook',
  'instagram',
  'restaurantMenu',
  'legalDocuments',
  'imprint',
  'terms',
  'privacy',
  'allowedSites',
  'donations',
  'giftCards',
  'bookingConfirmation',
  'language',
  'timeZone',
] as const;
const numbers = ['payAtVenueHours', 'fewLeft', 'giftCardYears'] as const;
const flags = ['membershipRequired', 'membershipButton', 'membershipReminders'] as const;
const mailFlags = ['followByMail', 'remindGuests'] as const;
const sales = [...numbers, 'holdersMayCancel'] as const;
const form = [...texts.slice(0, 17), ...flags, ...mailFlags, ...texts.slice(17, 22), ...sales, ...texts.slice(22)];

/** Each picture has its own upload action. */
type PictureName = keyof typeof pictureFields;

const zones = ['Europe/Paris', 'Europe/Brussels', 'Europe/London', 'Indian/Reunion', 'America/Martinique', 'America/Montreal', 'UTC'];

/** A form field that the detail page shows too. */
const field = (more: PropertyDeclaration = {}): PropertyDeclaration => ({
  sort: false,
  show: true,
  form: true,
  ...more,
});

/** A field that an action changes. */
const shown: PropertyDeclaration = { sort: false, show: true };
const picture: PropertyDeclaration = { ...pictureProperty, ...shown };

const declared = declareProperties({
  id: { isId: true },
  category: { sort: false, availableValues: Object.keys(categories), help: 'categoryHelp', show: true },
  name: field({ isTitle: true, required: true, help: 'nameHelp', list: true }),
  shortDescription: field({ help: 'shortDescriptionHelp' }),
  longDescription: field({ type: 'textarea', help: 'longDescriptionHelp' }),
  openingHours: field({ type: 'textarea', help: 'openingHoursHelp' }),
  gettingHere: field({ type: 'textarea', help: 'gettingHereHelp' }),
  accessibility: field({ type: 'textarea', help: 'accessibilityHelp' }),
  accessContact: field({ help: 'accessContactHelp' }),
  streetAddress: field({ help: 'addressHelp' }),
  postalCode: field(),
  city: field({ list: 4 }),
  country: field({ availableValues: countryChoices('en').map(([code]) => code) }),
  phone: field({ list: 3, help: 'contactHelp' }),
  email: field({ type: 'email', help: 'emailHelp', list: 2 }),
  website: field({ type: 'url', help: 'websiteHelp' }),
  twitter: field({ help: 'socialHelp' }),
  facebook: field({ help: 'socialHelp' }),
  instagram: field({ help: 'socialHelp' }),
  membershipRequired: field({ type: 'boolean', help: 'membershipRequiredHelp' }),
  membershipButton: field({ type: 'boolean', help: 'membershipButtonHelp' }),
  membershipReminders: field({ type: 'boolean', help: 'membershipRemindersHelp' }),
  followByMail: field({ type: 'boolean', help: 'followByMailHelp' }),
  remindGuests: field({ type: 'boolean', help: 'remindGuestsHelp' }),
  restaurantMenu: field({ help: 'linkHelp' }),
  legalDocuments: field({ help: 'legalDocumentsHelp' }),
  imprint: field({ type: 'textarea', help: 'imprintHelp' }),
  terms: field({ type: 'textarea', help: 'termsHelp' }),
  privacy: field({ type: 'textarea', help: 'privacyHelp' }),
  payAtVenueHours: field({ type: 'number', help: 'payAtVenueHoursHelp' }),
  bookingConfirmation: field({ required: true, availableValues: confirmationWays, help: 'bookingConfirmationHelp' }),
  fewLeft: field({ type: 'number', required: true, help: 'fewLeftHelp' }),
  donations: field({ help: 'donationsHelp' }),
  taxReceiptArticles: shown,
  taxReceiptName: shown,
  taxReceiptObject: shown,
  taxReceiptSigner: shown,
  giftCards: field({ help: 'giftCardsHelp' }),
  giftCardYears: field({ type: 'number', help: 'giftCardYearsHelp' }),
  accentColour: shown,
  typeface: { ...shown, availableValues: typefaces },
  corners: { ...shown, availableValues: cornerShapes },
  allowedSites: field({ type: 'textarea', help: 'allowedSitesHelp' }),
  holdersMayCancel: field({ type: 'boolean', help: 'holdersMayCancelHelp' }),
  language: field({ required: true, availableValues: languages, help: 'languageHelp' }),
  timeZone: field({ required: true, suggestedValues: zones, help: 'timeZoneHelp' }),
  ...Object.fromEntries(Object.keys(pictureFields).map((name) => [name, { ...picture, help: `${name}Help` }])),
});

/** The tenant's profile: shown on its pages, in mails, on tickets and in the server's directory. */
@PanelResource({ panels: 'tenant', position: 160 })
export class ProfileResource implements ResourceProvider {
  constructor(
    private readonly profiles: PlaceProfileService,
    private readonly images: ImagesService,
    private readonly galleries: GalleriesService,
    private readonly pages: LookPagesService,
  ) {}

  entry(): PanelEntry {
    const { profiles, images, pages } = this;
    const source: PanelSource = {
      id: 'profile',
      properties: declared.properties,
      find: async ({ offset }) => (offset > 0 ? [] : [toRow(await profiles.read())]),
      count: () => Promise.resolve(1),
      findOne: async (id) => (id === ID ? toRow(await profiles.read()) : null),
      findMany: async (ids) => (ids.includes(ID) ? [toRow(await profiles.read())] : []),
      update: async (id, values) => (id === ID ? toRow(await refusable(() => profiles.change(changeOf(values)))) : null),
    };
    return {
      source,
      group: 'settings',
      icon: 'Info',
      ...declared.places,
      actions: {
        look: lookAction(profiles, pages),
        shop: shopAction(profiles),
        taxReceipts: taxReceiptsAction(profiles),
        gallery: galleryAction(images, this.galleries, () => null),
        ...Object.fromEntries(Object.keys(pictureFields).map((name) => [name, sending(name as PictureName, profiles, images)])),
      },
      words: inEachLanguage(profileWords),
    };
  }
}

function sending(name: PictureName, profiles: PlaceProfileService, images: ImagesService): PanelAction {
  return pictureAction(
    images,
    async () => (await profiles.read())[pictureFields[name]],
    (_, picture) => profiles.change({ [name]: picture }),
  );
}

function toRow(profile: PlaceProfile): PanelRow {
  const written = Object.fromEntries([...form, ...lookFields, ...taxReceiptFields].map((name) => [name, profile[name]]));
  const seen = Object.entries(pictureFields).map(([name, column]): [string, PanelValue] => [name, shownPicture(profile[column])]);
  return { id: ID, category: currentTenant().category, ...written, ...Object.fromEntries(seen) };
}

/** Only fields that were sent: the form sends all of them, other programs only those that change. */
function changeOf(values: PanelRow): ProfileChange {
  const given = texts.filter((name) => values[name] !== undefined);
  const marked = [...flags, ...mailFlags, 'holdersMayCancel' as const].filter((name) => values[name] !== undefined);
  const counted = numbers.filter((name) => values[name] !== undefined);
  return Object.fromEntries([
    ...given.map((name) => [name, values[name] ?? '']),
    ...marked.map((name) => [name, isChecked(values[name])]),
    ...counted.map((name) => [name, values[name] === null || values[name] === '' ? null : Number(values[name])]),
  ]) as ProfileChange;
}
