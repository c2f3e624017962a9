import { IsNull } from 'typeorm';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Kept, RecentReadings, RefusedInput, SecretBox, SecretBoxError } from '#kernel';
import { currentTenant, SealedColumnsService, TenantDb, TenantFoundations, type Tx } from '#tenancy';
import { limits } from '../limits.js';
import { codeIsGenuine, codeIsSignedWith, renderCode, type UnverifiedCode } from './qr-code.js';
import { SigningKey } from '../entities/signing-key.entity.js';
import { texts } from '../locales/tickets.texts.js';

const signText = promisify(sign) as (algorithm: null, data: Buffer, key: KeyObject) => Promise<Buffer>;

/** A public key as JWK (RFC 8037), for devices that verify offline. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** A key as it is stored. */
export interface SealedKey {
  readonly id: number;
  /** The encrypted private key. */
  readonly sealed: Buffer;
}

/** SQL of a table for `from` with one row, the key that signs new tickets; its alias is `key`. */
export const currentKeySql =
  '(select id, sealed_private_key as sealed from signing_key where retired_at is null and revoked_at is null) key';

/** A ticket or a membership that has a code. */
export interface CodeSubject {
  readonly id: string;
  readonly signingKeyId: number;
  /** Number of transfers of a ticket; default 0. */
  readonly codeVersion?: number;
}

interface VerifyingKey {
  readonly publicKey: KeyObject;
  /** The encrypted private key. */
  readonly sealed: Buffer;
  readonly revoked: boolean;
}

/** The Ed25519 keys that sign the current tenant's ticket codes: created with the tenant, encrypted at rest, rotatable. */
@Injectable()
export class SigningKeysService implements OnModuleInit {
  /** Every scan reads it; entries expire after a second, so that revocations take effect in all processes. */
  private readonly publicKeys = new RecentReadings<ReadonlyMap<number, VerifyingKey>>(limits.publicKeys.kept);
  /** Decrypted private keys, by tenant and key id. */
  private readonly privateKeys = new Kept<KeyObject>(limits.privateKeys.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly foundations: TenantFoundations,
    private readonly sealed: SealedColumnsService,
  ) {}

  onModuleInit(): void {
    this.foundations.add((tx) => this.insert(tx, 1));
    this.sealed.add({ table: 'signing_key', column: 'sealed_private_key', purpose });
  }

  /** The id of the key that signs new tickets. Also caches the key, so that signing needs no further query. */
  async currentId(tx: Tx): Promise<number> {
    const [row] = await tx.query<SealedKey[]>(`select key.id, key.sealed from ${currentKeySql}`);
    return this.accept(row);
  }

  /** Like `currentId`, for a statement that has read the key beside other rows (see `currentKeySql`). */
  accept(key: SealedKey | undefined): number {
    if (!key) throw new Error(`tenant ${currentTenant().slug} has no signing key`);
    if (!this.privateKeys.has(cacheKey(key.id))) this.unsealed(key.id, key.sealed);
    return key.id;
  }

  /** Whether a code was signed by a key of the current tenant; `revoked`: by a key that was revoked. */
  async verdictOn(code: UnverifiedCode): Promise<'genuine' | 'revoked' | 'forged'> {
    const key = (await this.loadPublicKeys()).get(code.keyId);
    if (!key || !this.isGenuine(code, key)) return 'forged';
    return key.revoked ? 'revoked' : 'genuine';
  }

  /** Like `verdictOn`, of a code whose signature a device of the tenant verified. */
  async verdictOnKey(keyId: number): Promise<'genuine' | 'revoked' | 'forged'> {
    const key = (await this.loadPublicKeys()).get(keyId);
    return key ? (key.revoked ? 'revoked' : 'genuine') : 'forged';
  }

  /** All keys that are not revoked, for offline verification. */
  async jwks(): Promise<PublicJwk[]> {
    const keys = [...(await this.loadPublicKeys())].filter(([, { revoked }]) => !revoked);
    return keys.map(([id, { publicKey }]) => {
      const { x } = publicKey.export({ format: 'jwk' }) as Required<Pick<JsonWebKey, 'x'>>;
      return { kty: 'OKP', crv: 'Ed25519', x, kid: String(id), alg: 'EdDSA', use: 'sig' };
    });
  }

  /** The public key that matches the current signing key, as PEM (SPKI, RFC 8410); null when all keys are revoked. */
  async currentPublicPem(): Promise<string | null> {
    // Ids only increase, and the newest key signs.
    const newest = [...(await this.loadPublicKeys()).values()].findLast(({ revoked }) => !revoked);
    return newest?.publicKey.export({ format: 'pem', type: 'spki' }).toString() ?? null;
  }

  /** The code of a ticket or a membership; deterministic. */
  async codeOf({ id, signingKeyId, codeVersion = 0 }: CodeSubject): Promise<string> {
    return renderCode(signingKeyId, id, await this.privateKey(signingKeyId), codeVersion);
  }

  /**
   * Signs a text of the program with the newest key, outside of the event loop. The text must begin with a name of its kind, because codes
   * of tickets are signed with the same keys.
   * @throws SecretBoxError when the server secret changed
   */
  async sign(text: string): Promise<{ readonly kid: string; readonly signature: Buffer }> {
    // Ids only increase, and the newest key signs.
    const newest = [...(await this.loadPublicKeys())].findLast(([, { revoked }]) => !revoked);
    if (!newest) throw new Error(`tenant ${currentTenant().slug} has no signing key`);
    const [id, { sealed }] = newest;
    const key = this.privateKeys.get(cacheKey(id)) ?? this.unsealed(id, sealed);
    return { kid: String(id), signature: await signText(null, Buffer.from(text), key) };
  }

  /** The decrypted private key. @throws SecretBoxError when the server secret changed or the key does not exist */
  async privateKey(keyId: number): Promise<KeyObject> {
    const cached = this.privateKeys.get(cacheKey(keyId));
    if (cached) return cached;
    const key = await this.db.transaction((tx) =>
      tx.findOne(SigningKey, { select: { id: true, sealedPrivateKey: true }, where: { id: keyId } }),
    );
    return this.unsealed(keyId, key?.sealedPrivateKey ?? Buffer.alloc(0));
  }

  /**
   * Creates a new key that signs from now on. Existing codes stay valid.
   * @returns the new key's id
   * @throws RefusedInput on `key` when all 255 ids are used
   */
  async rotate(): Promise<number> {
    const id = await this.db.transaction(async (tx) => {
      await lockKeys(tx);
      return this.replaceCurrent(tx);
    });
    this.publicKeys.forget(currentTenant().id);
    return id;
  }

  /**
   * Revokes a key permanently; if it is the current signing key, creates a new one. `CodeReplacementService` calls this and replaces the
   * codes that the key signed.
   * @param keyId default: the key that currently signs
   * @returns the id of the revoked key
   * @throws RefusedInput on `key` when it does not exist, or all 255 ids are used
   */
  async revoke(tx: Tx, keyId?: number): Promise<number> {
    await lockKeys(tx);
    const key = await tx.findOneBy(SigningKey, keyId === undefined ? { retiredAt: IsNull() } : { id: keyId });
    if (!key) {
      throw new RefusedInput('key', texts.localized('signingKeys.unknownKey', { keyId }));
    }
    if (key.retiredAt === null) await this.replaceCurrent(tx);
    await tx.query('update signing_key set revoked_at = now() where id = $1 and revoked_at is null', [key.id]);
    const tenantId = currentTenant().id;
    this.db.afterCommit(tx, () => this.publicKeys.forget(tenantId));
    return key.id;
  }

  /** The keys of the current tenant, oldest first, without private keys. */
  list(): Promise<SigningKey[]> {
    return this.db.transaction((tx) => tx.find(SigningKey, { order: { id: 'ASC' } }));
  }

  private async replaceCurrent(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ next: number }[]>('select coalesce(max(id), 0)::int + 1 as next from signing_key');
    const next = row?.next ?? 1;
    if (next > 255) {
      throw new RefusedInput('key', texts.localized('signingKeys.allUsed'));
    }
    await tx.query('update signing_key set retired_at = now() where retired_at is null');
    await this.insert(tx, next);
    return next;
  }

  private isGenuine(code: UnverifiedCode, { publicKey, sealed }: VerifyingKey): boolean {
    const privateKey = this.privateKeys.get(cacheKey(code.keyId)) ?? this.tryUnsealing(code.keyId, sealed);
    return privateKey ? codeIsSignedWith(code, privateKey) : codeIsGenuine(code, publicKey);
  }

  /** Codes are verified even when the server secret was lost: doors stay open while nothing can be signed. */
  private tryUnsealing(keyId: number, sealed: Buffer): KeyObject | undefined {
    try {
      return this.unsealed(keyId, sealed);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return undefined;
    }
  }

  private unsealed(keyId: number, box: Buffer): KeyObject {
    const key = createPrivateKey({ key: this.box.open(box, purpose()), format: 'der', type: 'pkcs8' });
    this.privateKeys.set(cacheKey(keyId), key);
    return key;
  }

  private async insert(tx: Tx, id: number): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' }) as Required<Pick<JsonWebKey, 'x'>>;
    await tx.insert(SigningKey, {
      id,
      publicKey: Buffer.from(x, 'base64url'),
      sealedPrivateKey: this.box.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), purpose()),
    });
  }

  private loadPublicKeys(): Promise<ReadonlyMap<number, VerifyingKey>> {
    return this.publicKeys.read(currentTenant().id, () => this.readPublicKeys());
  }

  private async readPublicKeys(): Promise<ReadonlyMap<number, VerifyingKey>> {
    // Scans wait for it: urgent.
    const rows = await this.db.statement<StoredKey>(publicKeysStatement, [], true);
    return new Map(rows.map(({ id, public_key: raw, sealed, revoked }) => [id, { publicKey: publicKeyOf(raw), sealed, revoked }]));
  }
}

interface StoredKey {
  readonly id: number;
  readonly public_key: Buffer;
  readonly sealed: Buffer;
  readonly revoked: boolean;
}

const publicKeysStatement = {
  name: 'signing-keys',
  text: `select id, public_key, sealed_private_key as sealed, revoked_at is not null as revoked from {tenant}.signing_key order by id`,
};

/** Serialises rotations and revocations, so that each new key gets its own id. */
async function lockKeys(tx: Tx): Promise<void> {
  await tx.query('lock table signing_key in share row exclusive mode');
}

function cacheKey(keyId: number): string {
  return `${currentTenant().id}:${keyId}`;
}

/** Binds an encrypted key to its tenant: a row copied to another tenant cannot be decrypted. */
function purpose(tenantId = currentTenant().id): string {
  return `signing-key:${tenantId}`;
}

function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
}
