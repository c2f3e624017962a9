import { ImageFetcher, type PreparedImage } from '#catalogue';
import { currentClient, FairLimit, RefusedInput, RefusedInputs, SETTINGS, type Settings } from '#kernel';
import { currentTenant, TenantDb, TenantsService, type CategoryCode, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { limits } from '../limits.js';
import { nameKeyOf, slugOf } from '../place-names.js';
import { problem } from '../places.problems.js';
import { PlaceProfileService, type ProfilePictures } from '../profile/place-profile.service.js';
import { checkedProfile } from '../profile/profile-rules.js';
import { findSame, lockName, type PlaceIdentity } from './place-identity.js';

/** Input for a new place. Its texts are sanitised by the service. */
export interface NewPlace {
  readonly name: string;
  readonly category: CategoryCode;
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly phone: string;
  readonly email: string;
  readonly website: string;
  readonly postalCode: string;
  readonly streetAddress: string | null;
  readonly city: string | null;
  /** URLs from which the server downloads the images. */
  readonly imageUrl: string;
  readonly logoUrl: string;
}

// Raw SQL: locks the permission, so that it cannot be removed before the creation is committed.
const permission = `select u.id from shared.user_account u
  where u.may_create_tenants and u.id = (select k.owner_id from shared.api_key k where k.id = $1 and k.tenant_id = $2
  and k.revoked_at is null)`;
/** Creates places for owners of integration keys. */
@Injectable()
export class PlaceCreationService {
  /** By the name of the place. */
  private readonly turns = new FairLimit(limits.creations.turns);

  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly profiles: PlaceProfileService,
    private readonly fetcher: ImageFetcher,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Creates a tenant with all its data in one transaction of the current tenant (the first Meta); images are downloaded before it. The
   * owner of the key becomes its first administrator. It gets the language and time zone of the Meta.
   * @param keyId the integration key (of the Meta) that makes the request
   * @returns the id of the tenant
   * @throws RefusedInputs naming every invalid field, images included
   * @throws Problem 403 `place.permission`; 409 `place.exists` with its `uuid`, `place.root_exists`; 503 `image.busy`
   */
  async create(input: NewPlace, keyId: string): Promise<string> {
    const committed = this.db.committedOutcome();
    if (committed) return committed.outcome as string;
    const { imageUrl, logoUrl, category, ...texts } = input;
    const profile = checkedProfile(texts) as typeof texts;
    const slug = slugOf(profile.name, this.settings);
    const host = `${slug}.${this.settings.baseDomain}`.toLowerCase();
    const identity = { slug, nameKey: nameKeyOf(profile.name), host, category };
    // Of concurrent requests for one organisation, only the first downloads images; the others then find its place.
    const create = async (): Promise<string> => {
      await this.db.transaction((tx) => this.refuse(tx, identity, keyId));
      const pictures = await this.fetch(imageUrl, logoUrl);
      try {
        return await this.db.transactionOnce((tx) => this.createIn(tx, identity, profile, pictures, keyId));
      } catch (error) {
        if (!(error instanceof RefusedInput)) throw error;
        // The tenant was created in another way in the meantime.
        await this.db.transaction((tx) => this.refuse(tx, identity, keyId));
        throw error;
      }
    };
    return this.turns.run(create, currentClient(), identity.nameKey);
  }

  private async createIn(
    tx: Tx,
    identity: PlaceIdentity,
    { name, ...profile }: Omit<NewPlace, 'imageUrl' | 'logoUrl' | 'category'>,
    pictures: ProfilePictures,
    keyId: string,
  ): Promise<string> {
    await lockName(tx, identity);
    const ownerId = await this.refuse(tx, identity, keyId, 'for share of u');
    const { language, timeZone } = currentTenant();
    const { id } = await this.tenants.createIn(tx, {
      name,
      language,
      timeZone,
      ownerId,
      slug: identity.slug,
      host: identity.host,
      category: identity.category,
      furnish: (inside) => this.profiles.fillIn(inside, profile, pictures),
    });
    return id;
  }

  /** @returns the id of the key's owner. @throws Problem `place.permission`, `place.root_exists`, `place.exists` */
  private async refuse(tx: Tx, identity: PlaceIdentity, keyId: string, lock = ''): Promise<string> {
    const [owner] = await tx.query<{ id: string }[]>(`${permission} ${lock}`, [keyId, currentTenant().id]);
    if (!owner) throw problem('place.permission');
    if (identity.category === 'R') throw problem('place.root_exists');
    const [found] = await findSame(tx, identity);
    if (found) throw problem('place.exists', { members: { uuid: found.id } });
    return owner.id;
  }

  /** Downloads both, so that faults of both are reported. */
  private async fetch(imageUrl: string, logoUrl: string): Promise<{ image: PreparedImage; logo: PreparedImage }> {
    const [image, logo] = await Promise.allSettled([this.fetcher.fetch(imageUrl, 'imageUrl'), this.fetcher.fetch(logoUrl, 'logoUrl')]);
    if (image.status === 'fulfilled' && logo.status === 'fulfilled') return { image: image.value, logo: logo.value };
    const reasons = [image, logo].flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    const refused = reasons.filter((reason) => reason instanceof RefusedInput);
    throw refused.length === reasons.length
      ? new RefusedInputs(refused)
      : reasons.find((reason) => !refused.includes(reason as RefusedInput))!;
  }
}
