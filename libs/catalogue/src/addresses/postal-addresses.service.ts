import { Injectable } from '@nestjs/common';
import { isVisible, RefusedInput, refuseUnfitTexts, retryOnDeadlock, type Text } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { isISO31661Alpha2 } from 'class-validator';
import { EventPublisherService } from '../event-data/event-publisher.service.js';
import { EventProjections } from '../event-queries/event-projections.js';
import { plainText } from '../values/event-text.js';
import { ImagesService } from '../images/images.service.js';
import { removePictures, storePictures, type Pictures } from '../images/pictures.js';
import { PostalAddress } from '../entities/postal-address.entity.js';
import { addressTexts } from '../values/text-limits.js';
import { advisoryLock } from '../values/turns.js';
import { Event } from '../entities/event.entity.js';
import { texts } from '../locales/catalogue.texts.js';

type Writable = Omit<PostalAddress, 'id' | 'updatedAt' | 'image' | 'stickerImage'>;
export type AddressChange = Partial<Writable> & Pictures;
export type NewPostalAddress = Required<Pick<AddressChange, 'streetAddress' | 'addressLocality' | 'addressCountry'>> & AddressChange;

/** Manages the addresses of the current tenant's events. */
@Injectable()
export class PostalAddressesService {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: EventPublisherService,
    private readonly images: ImagesService,
    private readonly projections: EventProjections,
  ) {}

  /** In the order of creation. */
  list(): Promise<PostalAddress[]> {
    return this.db.transaction((tx) => tx.find(PostalAddress, { order: { id: 'ASC' }, relations: pictured }));
  }

  /** @returns null when there is no such address */
  find(id: string): Promise<PostalAddress | null> {
    return this.db.transaction((tx) => tx.findOne(PostalAddress, { where: { id }, relations: pictured }));
  }

  /** The country of the venue: of its main address, else of its first one. @returns ISO 3166 alpha-2; undefined without an address */
  async country(): Promise<string | undefined> {
    const [address] = await this.db.transaction((tx) =>
      tx.find(PostalAddress, { select: { id: true, addressCountry: true }, order: { isMain: 'DESC', id: 'ASC' }, take: 1 }),
    );
    return address?.addressCountry ?? undefined;
  }

  /** Creates an address. @throws RefusedInput on streetAddress, addressLocality, addressCountry, latitude or longitude */
  create(input: NewPostalAddress): Promise<PostalAddress> {
    return retryOnDeadlock(() => this.db.transactionOnce((tx) => this.createIn(tx, input)));
  }

  /** @throws RefusedInput as `create` */
  async createIn(tx: Tx, { picture, sticker, ...input }: NewPostalAddress): Promise<PostalAddress> {
    demandModule('events');
    refuseUnfitTexts(input, addressTexts);
    const checked = checkAddress(input);
    if (checked.isMain) {
      await advisoryLock(tx, 'main address');
      await nowhereMain(tx);
    }
    const pictures = await storePictures(tx, this.images, { picture, sticker });
    const { identifiers } = await tx.insert(PostalAddress, { ...checked, ...pictures });
    return wholeAddress(tx, (identifiers[0] as { id: string }).id);
  }

  /**
   * Changes an address.
   * @param underLock sees the address while it is locked, and either throws or returns further changes
   * @returns the updated address; undefined when there is no such address
   * @throws RefusedInput as `create`, and what `underLock` throws
   */
  async update(
    id: string,
    { picture, sticker, ...change }: AddressChange,
    underLock: (current: PostalAddress) => Partial<Writable> = () => ({}),
  ): Promise<PostalAddress | undefined> {
    refuseUnfitTexts(change, addressTexts);
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        if (change.isMain) await advisoryLock(tx, 'main address');
        const address = await lock(tx, id, 'for_no_key_update');
        if (!address) return undefined;
        const { id: _, updatedAt: __, image: _image, stickerImage: _sticker, ...columns } = address;
        const fit = checkAddress({ ...columns, ...change, ...underLock(address) }, address);
        const checked = { ...fit, ...(await storePictures(tx, this.images, { picture, sticker })) };
        const same = Object.entries(checked).every(([name, value]) => address[name as keyof Writable] === value);
        if (same) return address;
        if (checked.isMain && !address.isMain) await nowhereMain(tx);
        await tx.update(PostalAddress, { id }, { ...checked, updatedAt: () => 'now()' });
        await removePictures(tx, this.images, address, checked);
        const events = await tx.find(Event, { select: { id: true }, where: { postalAddressId: id } });
        await this.projections.changed(
          tx,
          events.map((event) => event.id),
        );
        return wholeAddress(tx, id);
      }),
    );
  }

  /**
   * Deletes an address. Its events remain without an address; projections and webhooks are notified of them.
   * @returns false when there is no such address
   * @throws what `underLock` throws
   */
  remove(id: string, underLock: (current: PostalAddress) => void = () => undefined): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const address = await lock(tx, id, 'pessimistic_write');
        if (!address) return false;
        underLock(address);
        // From here on nobody can link it, so this finds all its events.
        const [events] = (await tx.query(
          `update event set postal_address_id = null, sequence = sequence + 1, updated_at = now()
           where postal_address_id = $1 returning id`,
          [id],
        )) as [{ id: string }[], number];
        await tx.delete(PostalAddress, { id });
        await removePictures(tx, this.images, address, { imageId: null, stickerImageId: null });
        await this.publisher.publish(
          tx,
          'event.updated',
          events.map((event) => event.id),
        );
        return true;
      }),
    );
  }
}

const pictured = { image: true, stickerImage: true };

function wholeAddress(tx: Tx, id: string): Promise<PostalAddress> {
  return tx.findOneOrFail(PostalAddress, { where: { id }, relations: pictured });
}

/** In two steps, because joined rows cannot be locked. */
async function lock(tx: Tx, id: string, mode: 'for_no_key_update' | 'pessimistic_write'): Promise<PostalAddress | undefined> {
  const found = await tx.findOne(PostalAddress, { where: { id }, select: { id: true }, lock: { mode } });
  return found ? wholeAddress(tx, id) : undefined;
}

/**
 * At most one address is the main one: a new one replaces the old one. Needs the advisory lock, because two concurrent calls would both
 * find none.
 */
async function nowhereMain(tx: Tx): Promise<void> {
  await tx.update(PostalAddress, { isMain: true }, { isMain: false, updatedAt: () => 'now()' });
}

const missing: Readonly<Record<'streetAddress' | 'addressLocality', Text>> = {
  streetAddress: texts.localized('postalAddresses.missing.streetAddress'),
  addressLocality: texts.localized('postalAddresses.missing.addressLocality'),
};

/**
 * The required members of an address; the country in capitals; texts without markup (docs/decisions.md, section 9).
 * @param current of an event that others sent, an address may have only a name; what was never known is not required
 */
function checkAddress<Address extends Partial<PostalAddress>>(given: Address, current?: PostalAddress): Address {
  const address = { ...given };
  const isMissing = (field: 'streetAddress' | 'addressLocality' | 'addressCountry'): boolean =>
    !isVisible(address[field] ?? '') && (!current || current[field] !== null);
  for (const field of ['name', 'streetAddress', 'addressLocality', 'addressRegion', 'postalCode'] as const) {
    const text = address[field];
    if (typeof text === 'string') Object.assign(address, { [field]: plainText(text) || null });
  }
  const needed = address.name || (address.streetAddress && address.addressLocality);
  for (const field of ['streetAddress', 'addressLocality'] as const) {
    if (isMissing(field) || (!needed && !address[field])) throw new RefusedInput(field, missing[field]);
  }
  const addressCountry = address.addressCountry?.trim().toUpperCase() || null;
  if (isMissing('addressCountry') || (addressCountry !== null && !isISO31661Alpha2(addressCountry))) {
    throw new RefusedInput('addressCountry', texts.localized('postalAddresses.countryInvalid'));
  }
  checkDegrees('latitude', address.latitude, 90);
  checkDegrees('longitude', address.longitude, 180);
  return { ...address, addressCountry };
}

function checkDegrees(field: 'latitude' | 'longitude', value: number | null | undefined, most: number): void {
  if (value === null || value === undefined || (Number.isFinite(value) && Math.abs(value) <= most)) return;
  throw new RefusedInput(field, texts.localized('postalAddresses.degreesInvalid', { most }));
}
