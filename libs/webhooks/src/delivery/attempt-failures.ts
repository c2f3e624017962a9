import type { Text } from '#kernel';

/** Reasons why an attempt failed, as shown to staff. */
export const attemptFailures = {
  status: { en: 'Refused by the receiver', fr: 'Refusé par le destinataire' },
  redirect: { en: 'Redirect, which is not followed', fr: 'Redirection, qui n’est pas suivie' },
  gone: { en: 'The receiver wants no more (410)', fr: 'Le destinataire n’en veut plus (410)' },
  timeout: { en: 'No complete answer in time', fr: 'Pas de réponse complète à temps' },
  unreachable: { en: 'Could not connect', fr: 'Connexion impossible' },
  tls: { en: 'Certificate or encryption refused', fr: 'Certificat ou chiffrement refusé' },
  address: { en: 'Not a public address', fr: 'Adresse non publique' },
  broken: { en: 'The answer broke off', fr: 'Réponse interrompue' },
} as const satisfies Record<string, Text>;

export type AttemptFailure = keyof typeof attemptFailures;
