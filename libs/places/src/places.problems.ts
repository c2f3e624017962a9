import { defineProblems } from '#kernel';

export const problem = defineProblems({
  'place.unknown': {
    status: 404,
    en: ['Place unknown', 'There is no such place.'],
    fr: ['Lieu inconnu', "Ce lieu n'existe pas."],
  },
  'place.permission': {
    status: 403,
    en: [
      'Permission missing',
      'The owner of this API key may not create places. The operator of the server grants the permission in the Root panel, under Users.',
    ],
    fr: [
      'Permission manquante',
      "Le propriétaire de cette clé d'API ne peut pas créer de lieux. L'exploitant du serveur donne la permission dans le panneau racine, sous Utilisateurs.",
    ],
  },
  'place.exists': {
    status: 409,
    en: ['Place exists already', 'There is a place of this name, or with its sub-domain, already: uuid names it.'],
    fr: ['Lieu déjà existant', 'Un lieu de ce nom, ou avec son sous-domaine, existe déjà : uuid le désigne.'],
  },
  'place.root_exists': {
    status: 409,
    en: ['Root exists already', 'There is a Root already, and only one can exist.'],
    fr: ['Racine déjà existante', 'Il y a déjà une Racine, et une seule peut exister.'],
  },
  'place.form_full': {
    status: 429,
    en: [
      'Too many forms',
      'Too many forms for new places were sent from your network or for this e-mail address, or wait on this server. Try again in an hour.',
    ],
    fr: [
      'Trop de formulaires',
      'Trop de formulaires de nouveaux lieux ont été envoyés depuis votre réseau ou pour cette adresse e-mail, ou attendent sur ce serveur. Réessayez dans une heure.',
    ],
  },
});
