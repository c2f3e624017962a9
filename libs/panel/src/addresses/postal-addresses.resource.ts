import { mapAddress, PostalAddress, ImagesService, PostalAddressesService } from '#catalogue';
import type { NewPostalAddress } from '#catalogue';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { countryChoices } from '#pages';
import { currentPanelRequest, entityReader, PanelResource, declareProperties, related, relatedProperty } from '#panel-kit';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { pictureWords } from '../forms/picture.words.js';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const countries = countryChoices('en').map(([code]) => code);
const mapWords = texts.perLanguage('postalAddresses.map', ({ words }) => words);

/** Postal addresses of the tenant, where events take place. */
@PanelResource({ panels: 'tenant', position: 120, modules: 'events' })
export class PostalAddressesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly addresses: PostalAddressesService,
    private readonly images: ImagesService,
  ) {}

  entry(): PanelEntry {
    const { db, addresses, images } = this;
    const declared = declareProperties(
      {
        id: {},
        label: {
          isTitle: true,
          list: true,
          filter: true,
          sql: `coalesce(nullif(address.name, ''), address.street_address || ', ' || address.address_locality)`,
        },
        name: { help: 'nameHelp', show: true, form: true },
        streetAddress: { list: true, show: true, form: true },
        postalCode: { list: true, show: true, form: true, filter: true },
        addressLocality: { list: true, show: true, form: true, filter: 2 },
        addressRegion: { show: true, form: true },
        addressCountry: { initial: 'FR', availableValues: countries, show: true, form: true },
        map: { ...relatedProperty('map'), show: true },
        latitude: { components: { edit: 'Coordinates' }, show: true, form: true, filter: false },
        longitude: { components: { edit: 'Coordinates' }, show: true, form: true, filter: false },
        isMain: { initial: false, help: 'mainHelp', list: true, show: true, form: true },
        picture: { ...pictureProperty, show: true },
        imageId: { hidden: true },
      },
      { entity: PostalAddress, alias: 'address' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'label', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'addresses',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        const address = row && mapAddress(row);
        const map = related(address ? [{ title: mapWords[currentPanelRequest().language].open, href: address, isOutside: true }] : []);
        return row && { ...row, map, picture: shownPicture(row['imageId'] as string | null) };
      },
      create: async (values) => {
        const { id } = await refusable(() => addresses.create(values as unknown as NewPostalAddress));
        return { id };
      },
      update: async (id, values) =>
        (await refusable(() => addresses.update(id, values as Partial<NewPostalAddress>))) ? source.findOne(id) : null,
    };
    return {
      source,
      group: 'programme',
      icon: 'MapPin',
      rare: true,
      ...declared.places,
      actions: {
        picture: pictureAction(
          images,
          async (id) => (await addresses.find(id))?.imageId,
          (id, picture) => addresses.update(id, { picture }),
        ),
      },
      sort: { by: 'label', direction: 'asc' },
      words: texts.perLanguage('postalAddresses.words', ({ words, language }) => ({
        ...words,
        values: { addressCountry: Object.fromEntries(countryChoices(language)) },
        properties: { ...words.properties, ...pictureWords[language].properties },
        actions: { ...words.actions, ...pictureWords[language].actions },
        messages: { ...words.messages, ...pictureWords[language].messages },
      })),
    };
  }
}
