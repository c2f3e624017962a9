import { defineProblems } from '#kernel';
import type { TenantIdentity } from './tenant-context.js';

export const problem = defineProblems({
  'tenant.unknown': {
    status: 404,
    en: ['Unknown host', 'No place answers on this host.'],
    fr: ['Hôte inconnu', 'Aucun lieu ne répond sur cet hôte.'],
  },
  'tenant.module': {
    status: 403,
    en: [
      'Not for this category',
      'A place of category {category} ({label}) cannot {wanted}. It can {allowed}, and read, cancel or delete what it holds.',
    ],
    fr: [
      'Pas pour cette catégorie',
      'Un lieu de catégorie {category} ({label}) ne peut pas {wanted}. Il peut {allowed}, et lire, annuler ou supprimer ce qu’il détient.',
    ],
  },
  'tenant.migrating': {
    status: 503,
    en: ['Being updated', 'The data of this place is being updated. Try again in a moment.'],
    fr: ['Mise à jour en cours', 'Les données de ce lieu sont en cours de mise à jour. Réessayez dans un instant.'],
  },
  'tenant.suspended': {
    status: 503,
    en: ['Suspended', 'This place is suspended for the time being. {why}'],
    fr: ['Suspendu', 'Ce lieu est suspendu pour le moment. {why}'],
  },
  'tenant.archived': {
    status: 403,
    en: ['Closed, read only', 'This place is closed: what it holds can be read, but not changed.'],
    fr: ['Fermé, en lecture seule', "Ce lieu est fermé : ce qu'il contient peut être lu, mais pas modifié."],
  },
  'tenant.closed': {
    status: 410,
    en: ['Closed', 'This place is closed. {why}'],
    fr: ['Lieu fermé', 'Ce lieu est fermé. {why}'],
  },
  'tenant.deleted': {
    status: 410,
    en: ['No longer here', 'This place is not on this server any more.'],
    fr: ['Disparu', "Ce lieu n'est plus sur ce serveur."],
  },
  'tenant.changed': {
    status: 503,
    en: ['Just changed', 'An operator is changing this place at this moment. Try again in a second.'],
    fr: ['Modifié à l’instant', 'Un opérateur modifie ce lieu en ce moment. Réessayez dans une seconde.'],
  },
  'key.missing': {
    status: 401,
    en: ['API key missing', 'Send the header Authorization: Api-Key <API_KEY>.'],
    fr: ["Clé d'API absente", "Envoyez l'en-tête Authorization: Api-Key <API_KEY>."],
  },
  'key.malformed': {
    status: 401,
    en: ['API key mistyped', 'The API key is incomplete or mistyped: its check characters do not fit. Copy it again.'],
    fr: ["Clé d'API mal saisie", "La clé d'API est incomplète ou mal saisie : ses caractères de contrôle ne concordent pas. Recopiez-la."],
  },
  'key.unknown': {
    status: 401,
    en: ['API key unknown', 'This API key is not known here.'],
    fr: ["Clé d'API inconnue", "Cette clé d'API n'est pas connue ici."],
  },
  'key.revoked': {
    status: 401,
    en: ['API key revoked', 'This API key was revoked. Ask the staff for a new one; a device is paired again.'],
    fr: ["Clé d'API révoquée", "Cette clé d'API a été révoquée. Demandez-en une autre ; un appareil se réappaire."],
  },
  'key.expired': {
    status: 401,
    en: ['API key expired', 'This API key has expired. Ask the staff for a new one.'],
    fr: ["Clé d'API expirée", "Cette clé d'API a expiré. Demandez-en une autre."],
  },
  'key.suspended': {
    status: 403,
    en: ['API key suspended', 'Who made this API key has lost the right to it. Staff can take it over in the panel, under API keys.'],
    fr: [
      "Clé d'API suspendue",
      "La personne qui a créé cette clé n'en a plus le droit. L'équipe peut la reprendre dans le panneau, sous Clés d'API.",
    ],
  },
  'key.kind': {
    status: 403,
    en: ['Wrong kind of key', 'Device keys open /scan/ only, and integration keys never do.'],
    fr: ['Mauvais type de clé', "Les clés d'appareil n'ouvrent que /scan/, et les clés d'intégration jamais."],
  },
  'key.scope': {
    status: 403,
    en: ['Scope missing', 'This API key lacks the scope {scope}.'],
    fr: ['Portée manquante', "Cette clé d'API n'a pas la portée {scope}."],
  },
  'key.address': {
    status: 403,
    en: ['Address not allowed', 'This API key may not be used from this address.'],
    fr: ['Adresse refusée', "Cette clé d'API ne peut pas être utilisée depuis cette adresse."],
  },
  'key.origin': {
    status: 403,
    en: [
      'Origin not allowed',
      'This API key may not be used by web pages of this origin. Staff can add the origin to the key in the panel, under API keys.',
    ],
    fr: [
      'Origine refusée',
      "Cette clé d'API ne peut pas être utilisée par les pages web de cette origine. L'équipe peut l'ajouter à la clé dans le panneau, sous Clés d'API.",
    ],
  },
  'idempotency.key_malformed': {
    status: 400,
    en: ['Malformed Idempotency-Key', 'Send one Idempotency-Key of 1 to 255 visible ASCII characters, a UUID for example.'],
    fr: ['Idempotency-Key mal formée', 'Envoyez une seule Idempotency-Key de 1 à 255 caractères ASCII visibles, un UUID par exemple.'],
  },
  'idempotency.key_reused': {
    status: 422,
    en: ['Idempotency-Key used already', 'This Idempotency-Key belongs to another request. Take a new key for a new request.'],
    fr: [
      'Idempotency-Key déjà utilisée',
      'Cette Idempotency-Key appartient à une autre requête. Prenez une nouvelle clé pour une nouvelle requête.',
    ],
  },
  'idempotency.in_progress': {
    status: 409,
    en: ['Still in progress', 'The first request with this Idempotency-Key is still being done. Ask again in a moment.'],
    fr: ['Encore en cours', 'La première requête avec cette Idempotency-Key est encore en cours. Redemandez dans un instant.'],
  },
  'idempotency.answer_not_kept': {
    status: 409,
    en: ['Done already', 'The request with this Idempotency-Key was done, but its answer was too large to be kept. Look at what it made.'],
    fr: [
      'Déjà fait',
      "La requête avec cette Idempotency-Key a été faite, mais sa réponse était trop grande pour être conservée. Regardez ce qu'elle a créé.",
    ],
  },
  'device.archived': {
    status: 403,
    en: ['Device archived', 'This device was archived by the staff. Ask them to restore or pair it again.'],
    fr: ['Appareil archivé', "Cet appareil a été archivé par l'équipe. Demandez-lui de le rétablir ou de l'appairer à nouveau."],
  },
});

/** Refuses to touch the data of a tenant whose tables do not fit this program. @throws Problem 503 `tenant.migrating` */
export function refuseUnfitSchema({ schemaState }: Pick<TenantIdentity, 'schemaState'>): void {
  if (schemaState !== 'current') throw problem('tenant.migrating', { headers: { 'Retry-After': '5' } });
}

/**
 * Refuses to work for a tenant that is not what the caller takes it for.
 * @param row its state and category at the beginning of the transaction; undefined: it is gone
 * @throws Problem 410 `tenant.deleted`, 503 `tenant.changed`
 */
export function refuseChangedTenant({ state, category }: Pick<TenantIdentity, 'state' | 'category'>, row: unknown): void {
  const now = row as { readonly state: string; readonly category: string } | undefined;
  if (!now) throw problem('tenant.deleted');
  if (now.state !== state || now.category !== category) throw problem('tenant.changed', { headers: { 'Retry-After': '1' } });
}

/** Every 401 says which scheme is expected (RFC 9110, 11.6.1). */
export const unauthorized = { headers: { 'WWW-Authenticate': 'Api-Key' } } as const;
