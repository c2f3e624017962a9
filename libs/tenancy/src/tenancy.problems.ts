import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'tenant.unknown': {
    status: 404,
    en: ['Unknown host', 'No place answers on this host.'],
    fr: ['Hôte inconnu', 'Aucun lieu ne répond sur cet hôte.'],
  },
  'key.missing': {
    status: 401,
    en: ['API key missing', 'Send the header Authorization: Api-Key <API_KEY>.'],
    fr: ["Clé d'API absente", "Envoyez l'en-tête Authorization: Api-Key <API_KEY>."],
  },
  'key.malformed': {
    status: 401,
    en: ['API key mistyped', 'The API key is incomplete or mistyped: its check characters do not fit. Copy it again.'],
    fr: [
      "Clé d'API mal saisie",
      "La clé d'API est incomplète ou mal saisie : ses caractères de contrôle ne concordent pas. Recopiez-la.",
    ],
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
  'device.archived': {
    status: 403,
    en: ['Device archived', 'This device was archived by the staff. Ask them to restore or pair it again.'],
    fr: [
      'Appareil archivé',
      "Cet appareil a été archivé par l'équipe. Demandez-lui de le rétablir ou de l'appairer à nouveau.",
    ],
  },
});

/** Every 401 says which scheme is expected (RFC 9110, 11.6.1). */
export const unauthorized = { headers: { 'WWW-Authenticate': 'Api-Key' } } as const;
