import { createHash, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { expect } from '@jest/globals';
import type { TypedApple, TypedGoogle } from '#wallet';

const day = 86_400_000;
/** OID of the name `UID` in the subject of a certificate. */
const uid = '0.9.2342.19200300.100.1.1';

interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

interface CertificateFacts {
  readonly subject: forge.pki.CertificateField[];
  /** Default: the certificate signs itself. */
  readonly issuer?: KeyAndCertificate;
  readonly days?: number;
}

/** A certificate with an RSA key of 2,048 bits, both PEM. */
function newCertificate({ subject, issuer, days = 365 }: CertificateFacts): KeyAndCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = createHash('sha256').update(publicKey).digest('hex').slice(0, 16).replace(/^./, '1');
  certificate.validity.notBefore = new Date(Date.now() - 30 * day);
  certificate.validity.notAfter = new Date(Date.now() + days * day);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.certificate).subject.attributes : subject);
  if (!issuer)
    certificate.setExtensions([
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true },
    ]);
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.key ?? privateKey), forge.md.sha256.create());
  return { key: privateKey, certificate: forge.pki.certificateToPem(certificate) };
}

/** An authority like Apple's, for tests. */
export function newAuthority(days = 3650): KeyAndCertificate {
  return newCertificate({ subject: [{ name: 'commonName', value: 'Test Worldwide Developer Relations' }], days });
}

/** What a venue would get from Apple. */
export function newApple(
  authority = newAuthority(),
  { passType = 'pass.org.example.tickets', team = 'ABCDE12345', days = 365 } = {},
): TypedApple {
  const subject = [
    { type: uid, value: passType },
    { name: 'commonName', value: `Pass Type ID: ${passType}` },
    { name: 'organizationalUnitName', value: team },
  ];
  const { key, certificate } = newCertificate({ subject, issuer: authority, days });
  return {
    passTypeIdentifier: passType,
    teamIdentifier: team,
    certificate,
    privateKey: key,
    passphrase: '',
    authority: authority.certificate,
  };
}

/** What a venue would get from Google, with the key that verifies its signatures. */
export function newGoogle(): TypedGoogle & { readonly publicKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const email = 'tickets@guichet-tests-123456.iam.gserviceaccount.com';
  return {
    issuerId: '3388000000012345678',
    serviceAccount: JSON.stringify({ type: 'service_account', project_id: 'x', private_key: privateKey, client_email: email }),
    publicKey,
  };
}

/** The files of an archive without compression, such as a `.pkpass`, by name. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50;) {
    expect(archive.readUInt16LE(at + 8)).toBe(0);
    const [size, nameLength, more] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26), archive.readUInt16LE(at + 28)];
    const start = at + 30 + nameLength + more;
    files.set(archive.toString('utf8', at + 30, at + 30 + nameLength), archive.subarray(start, start + size));
    at = start + size;
  }
  return files;
}

const sha1 = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');
const parts = (value: forge.asn1.Asn1): forge.asn1.Asn1[] => value.value as forge.asn1.Asn1[];
const derOf = (value: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), 'binary');

/**
 * Checks the hash of every file, the signature (PKCS #7, detached) over the manifest, and that the authority issued the certificate.
 * The cryptography is that of Node.js, not of the package that signs.
 */
export function expectSignedBy(files: ReadonlyMap<string, Buffer>, authority: string): void {
  const manifest = files.get('manifest.json')!;
  const hashed = [...files].filter(([name]) => name !== 'manifest.json' && name !== 'signature');
  expect(JSON.parse(manifest.toString())).toEqual(Object.fromEntries(hashed.map(([name, bytes]) => [name, sha1(bytes)])));
  const content = forge.asn1.fromDer(files.get('signature')!.toString('binary'));
  const [, , inner, certificates, signers] = parts(parts(parts(content)[1]!)[0]!);
  expect(parts(inner!)).toHaveLength(1);
  const issuer = new X509Certificate(authority);
  const signer = parts(certificates!).map((one) => new X509Certificate(derOf(one)));
  const own = signer.find((one) => one.subject.includes('UID='));
  expect(signer.map(({ fingerprint256 }) => fingerprint256)).toContain(issuer.fingerprint256);
  expect([own!.checkIssued(issuer), own!.verify(issuer.publicKey)]).toEqual([true, true]);
  const [, , , attributes, , signature] = parts(parts(signers!)[0]!);
  const digest = parts(attributes!).find((one) => forge.asn1.derToOid(parts(one)[0]!.value as string) === forge.pki.oids['messageDigest']);
  expect(Buffer.from(parts(parts(digest!)[1]!)[0]!.value as string, 'binary').toString('hex')).toBe(sha1(manifest));
  const { Class, Type, create } = forge.asn1;
  const signed = derOf(create(Class.UNIVERSAL, Type.SET, true, parts(attributes!)));
  expect(verify('sha1', signed, own!.publicKey, Buffer.from(signature!.value as string, 'binary'))).toBe(true);
}
