import { PostalAddress, Images, PostalAddresses } from '#catalogue';
import type { NewPostalAddress } from '#catalogue';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { entityReader, PanelResource } from '#panel-kit';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { pictureWords } from '../forms/picture.words.js';
import { refusable } from '../forms/refusals.js';

const form = [
  'name',
  'streetAddress',
  'postalCode',
  'addressLocality',
  'addressRegion',
  'addressCountry',
  'latitude',
  'longitude',
  'isMain',
] as const;

/** Where events take place. */
@PanelResource({ panels: 'tenant', position: 120, modules: 'events' })
export class PostalAddressesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly addresses: PostalAddresses,
    private readonly images: Images,
  ) {}

  entry(): PanelEntry {
    const { db, addresses, images } = this;
    const reader = entityReader({
      open: (work) => db.transaction(work),
      entity: PostalAddress,
      alias: 'address',
      columns: {
        id: 'address.id',
        label: `coalesce(nullif(address.name, ''), address.street_address || ', ' || address.address_locality)`,
        imageId: 'address.imageId',
        ...Object.fromEntries(form.map((name) => [name, `address.${name}`])),
      },
      sort: { by: 'label', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'addresses',
      properties: [
        { name: 'id', type: 'number', isId: true },
        { name: 'label', type: 'string', isTitle: true, editable: false },
        { name: 'name', type: 'string', help: 'nameHelp' },
        { name: 'streetAddress', type: 'string', required: true },
        { name: 'postalCode', type: 'string', required: true },
        { name: 'addressLocality', type: 'string', required: true },
        { name: 'addressRegion', type: 'string' },
        { name: 'addressCountry', type: 'string', required: true, initial: 'FR', help: 'countryHelp' },
        { name: 'latitude', type: 'float', filterable: false },
        { name: 'longitude', type: 'float', filterable: false },
        { name: 'isMain', type: 'boolean', initial: false, help: 'mainHelp' },
        pictureProperty,
      ],
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, picture: shownPicture(row['imageId'] as string | null) };
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
      list: ['label', 'streetAddress', 'postalCode', 'addressLocality', 'isMain'],
      show: [...form, 'picture'],
      edit: form,
      actions: {
        picture: pictureAction(
          images,
          async (id) => (await addresses.find(id))?.imageId,
          (id, picture) => addresses.update(id, { picture }),
        ),
      },
      filter: ['label', 'addressLocality', 'postalCode'],
      sort: { by: 'label', direction: 'asc' },
      words: {
        en: {
          plural: 'Addresses',
          singular: 'Address',
          properties: {
            label: 'Place',
            name: 'Name of the place',
            streetAddress: 'Street and number',
            postalCode: 'Postal code',
            addressLocality: 'Town',
            addressRegion: 'Region',
            addressCountry: 'Country',
            latitude: 'Latitude',
            longitude: 'Longitude',
            isMain: 'Main address',
            ...pictureWords.en.properties,
          },
          actions: { new: 'New address', ...pictureWords.en.actions },
          messages: {
            nameHelp: 'As the public knows it, such as “Large hall”.',
            countryHelp: 'Two letters, such as FR.',
            mainHelp: 'There is one at most: the mark moves here.',
            ...pictureWords.en.messages,
          },
        },
        fr: {
          plural: 'Adresses',
          singular: 'Adresse',
          properties: {
            label: 'Lieu',
            name: 'Nom du lieu',
            streetAddress: 'Rue et numéro',
            postalCode: 'Code postal',
            addressLocality: 'Commune',
            addressRegion: 'Région',
            addressCountry: 'Pays',
            latitude: 'Latitude',
            longitude: 'Longitude',
            isMain: 'Adresse principale',
            ...pictureWords.fr.properties,
          },
          actions: { new: 'Nouvelle adresse', ...pictureWords.fr.actions },
          messages: {
            nameHelp: 'Tel que le public le connaît, par exemple « Grande salle ».',
            countryHelp: 'Deux lettres, par exemple FR.',
            mainHelp: 'Il y en a une au plus : la coche passe ici.',
            ...pictureWords.fr.messages,
          },
        },
      },
    };
  }
}
