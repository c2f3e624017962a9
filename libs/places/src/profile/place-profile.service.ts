import { ImagesService, nameVolunteering, type PreparedImage } from '#catalogue';
import { retryOnDeadlock, type Language } from '#kernel';
import { currentTenant, TenantDb, TenantFoundations, TenantsService, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { writePlace } from './place-row.js';
import { checkedProfile, type ProfileTextChange } from './profile-rules.js';
import { pictureFields } from './profile-texts.js';
import { Profile, usualFewLeft, usualLook } from './profile.entity.js';

/** The profile of a place with the identity of its tenant. */
export type PlaceProfile = Omit<Profile, 'id'> & {
  readonly name: string;
  readonly language: Language;
  readonly timeZone: string;
};

/** New images; null removes one. */
export interface ProfilePictures {
  readonly image?: PreparedImage | null;
  readonly logo?: PreparedImage | null;
  readonly map?: PreparedImage | null;
}

export type ProfileChange = ProfileTextChange & ProfilePictures;

/** Manages the profile of the current tenant: its configuration and the public record, which is written with it. */
@Injectable()
export class PlaceProfileService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly images: ImagesService,
    private readonly foundations: TenantFoundations,
  ) {}

  onModuleInit(): void {
    this.foundations.addDerived(async (tx, { id }) => writePlace(tx, id, await readProfile(tx)));
  }

  read(): Promise<PlaceProfile> {
    return this.db.transaction((tx) => this.profileIn(tx));
  }

  /**
   * Changes the given fields. Configuration, public record and, when given, the tenant's name, language and time zone (with the names of
   * built-in products) are written in one transaction. Every process sees the change within a second.
   * @returns the updated profile
   * @throws RefusedInputs naming every invalid field
   */
  async change({ image, logo, map, ...texts }: ProfileChange): Promise<PlaceProfile> {
    const checked = checkedProfile(texts);
    return retryOnDeadlock(() => this.db.transaction((tx) => this.changeIn(tx, checked, { image, logo, map })));
  }

  /**
   * Fills the configuration of a tenant that is being created; its public record is written afterwards. @param texts see `checkedProfile`
   */
  async fillIn(tx: Tx, texts: Omit<ProfileTextChange, 'name' | 'language' | 'timeZone'>, pictures: ProfilePictures): Promise<void> {
    const stored = await this.store(tx, pictures, await readProfile(tx));
    await tx.update(Profile, { id: 1 }, { ...texts, ...stored });
  }

  /** Lock order: configuration, tenant, public record. */
  private async changeIn(tx: Tx, checked: ProfileTextChange, pictures: ProfilePictures): Promise<PlaceProfile> {
    const { name, language, timeZone, ...columns } = checked;
    await tx.createQueryBuilder().insert().into(Profile).values({ id: 1 }).orIgnore().execute();
    const before = await tx.findOneOrFail(Profile, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
    const stored = await this.store(tx, pictures, before);
    await tx.update(Profile, { id: 1 }, { ...columns, ...stored, updatedAt: () => 'now()' });
    await this.tenants.changeIn(tx, currentTenant().id, { name, language, timeZone });
    if (language) await nameVolunteering(tx, language);
    const profile = await this.profileIn(tx);
    await writePlace(tx, currentTenant().id, await readProfile(tx));
    return profile;
  }

  /** Stores new images and deletes those that they replace. @returns the columns that refer to the images */
  private async store(tx: Tx, pictures: ProfilePictures, before: Profile): Promise<Partial<Profile>> {
    const ids: Partial<Profile> = {};
    for (const [field, column] of Object.entries(pictureFields) as ['image', 'imageId'][]) {
      const picture = pictures[field];
      if (picture === undefined) continue;
      ids[column] = picture && (await this.images.storeIn(tx, picture));
      if (before[column]) await this.images.removeIn(tx, before[column]);
    }
    return ids;
  }

  private async profileIn(tx: Tx): Promise<PlaceProfile> {
    const { id: _, ...row } = await readProfile(tx);
    return { ...row, ...(await this.tenants.identityIn(tx, currentTenant().id)) };
  }
}

/**
 * The profile of the current tenant, empty when its configuration is missing.
 * @param options.lock locks it until the transaction ends
 */
export async function readProfile(tx: Tx, { lock = false } = {}): Promise<Profile> {
  const found = await tx.findOne(Profile, { where: { id: 1 }, ...(lock && { lock: { mode: 'pessimistic_write' } }) });
  const on = { membershipReminders: true, holdersMayCancel: true, followByMail: true };
  const flags = { membershipRequired: false, membershipButton: false, remindGuests: false, ...on };
  return found ?? tx.create(Profile, { id: 1, ...flags, ...usualLook, fewLeft: usualFewLeft, bookingConfirmation: 'link' });
}
