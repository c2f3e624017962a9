import { defineProblems } from './problem.js';

/** Problems of the HTTP layer, before a domain is involved. */
export const problem = defineProblems({
  'request.malformed': {
    status: 400,
    en: ['Malformed request', 'The request cannot be read. Check its address and headers.'],
    fr: ['Requête mal formée', 'La requête est illisible. Vérifiez son adresse et ses en-têtes.'],
  },
  'request.host': {
    status: 400,
    en: ['Ambiguous host', 'Send exactly one Host header, and no other host in the request target.'],
    fr: ['Hôte ambigu', 'Envoyez un seul en-tête Host, et aucun autre hôte dans la cible de la requête.'],
  },
  'request.text': {
    status: 400,
    en: [
      'Unfit text',
      'The request holds a NUL character, a lone surrogate, or bytes that are not UTF-8. Send well-formed Unicode text as UTF-8.',
    ],
    fr: [
      'Texte invalide',
      "La requête contient un caractère NUL, une demi-paire Unicode ou des octets qui ne sont pas de l'UTF-8. Envoyez un texte bien formé, en UTF-8.",
    ],
  },
  'request.too_many_parameters': {
    status: 400,
    en: ['Too many parameters', 'Send at most {limit} query parameters.'],
    fr: ['Trop de paramètres', 'Envoyez au plus {limit} paramètres.'],
  },
  'request.headers_too_large': {
    status: 431,
    en: ['Headers too large', 'The address and the headers of the request have more than 16 kB together.'],
    fr: ['En-têtes trop grands', "L'adresse et les en-têtes de la requête dépassent 16 ko au total."],
  },
  'request.too_slow': {
    status: 408,
    en: ['Request too slow', 'The request did not arrive in time. Send it again over a faster connection.'],
    fr: ['Requête trop lente', "La requête n'est pas arrivée à temps. Renvoyez-la par une connexion plus rapide."],
  },
  'request.expectation': {
    status: 417,
    en: ['Expectation not met', 'The only expectation that the server knows is 100-continue.'],
    fr: ['Attente non satisfaite', 'La seule attente que le serveur connaît est 100-continue.'],
  },
  'request.origin': {
    status: 403,
    en: ['Foreign page', 'This request did not come from a page of this site, so nothing was done. Open the page and try again.'],
    fr: ['Page étrangère', "Cette demande ne vient pas d'une page de ce site : rien n'a été fait. Ouvrez la page et recommencez."],
  },
  'body.malformed': {
    status: 400,
    en: ['Malformed body', 'The body is not the valid JSON, or the complete form, that its content type announces.'],
    fr: ['Corps mal formé', "Le corps n'est pas le JSON valide, ou le formulaire complet, que son type annonce."],
  },
  'body.too_deep': {
    status: 400,
    en: ['Body too deep', 'Nest the body at most {limit} levels deep.'],
    fr: ['Corps trop profond', 'Imbriquez le corps sur {limit} niveaux au plus.'],
  },
  'body.too_many_values': {
    status: 400,
    en: [
      'Too many values',
      'Send at most {values} values in all, at most {objects} of them objects or lists, and at most {members} members in one object.',
    ],
    fr: [
      'Trop de valeurs',
      'Envoyez {values} valeurs au plus en tout, dont {objects} objets ou listes au plus, et {members} membres au plus par objet.',
    ],
  },
  'body.invalid': {
    status: 400,
    en: ['Invalid body', 'Correct the members listed in errors.'],
    fr: ['Corps invalide', 'Corrigez les membres listés dans errors.'],
  },
  'query.invalid': {
    status: 400,
    en: ['Invalid parameters', 'Correct the query parameters listed in errors.'],
    fr: ['Paramètres invalides', 'Corrigez les paramètres listés dans errors.'],
  },
  'body.too_large': {
    status: 413,
    en: ['Body too large', 'Send at most {limit}.'],
    fr: ['Corps trop grand', 'Envoyez au plus {limit}.'],
  },
  'body.too_slow': {
    status: 408,
    en: ['Body too slow', 'The form did not arrive within {seconds} seconds. Send it again over a faster connection.'],
    fr: ['Corps trop lent', "Le formulaire n'est pas arrivé en {seconds} secondes. Envoyez-le de nouveau par une connexion plus rapide."],
  },
  'body.unsupported_type': {
    status: 415,
    en: ['Unsupported content type', 'Send the body as application/json in UTF-8, without compression.'],
    fr: ['Type de contenu refusé', 'Envoyez le corps en application/json, en UTF-8, sans compression.'],
  },
  'rate.limited': {
    status: 429,
    en: ['Too many requests', 'Too many requests came from your network or with your key. Try again in {seconds} s.'],
    fr: ['Trop de requêtes', 'Trop de requêtes sont venues de votre réseau ou avec votre clé. Réessayez dans {seconds} s.'],
  },
  'tenant.busy': {
    status: 429,
    en: [
      'Too much at once',
      'This place has as many uploads, whole lists, exports or bookings under way as it may. Send the request again in {seconds} seconds.',
    ],
    fr: [
      'Trop de demandes à la fois',
      "Ce lieu a autant d'envois de fichiers, de listes entières, d'exports ou de réservations en cours que permis. Renvoyez la requête dans {seconds} secondes.",
    ],
  },
  'route.unknown': {
    status: 404,
    en: ['Not found', 'There is nothing at this address.'],
    fr: ['Introuvable', "Il n'y a rien à cette adresse."],
  },
  'route.method': {
    status: 405,
    en: ['Method not allowed', 'This address answers {allowed}.'],
    fr: ['Méthode refusée', 'Cette adresse répond à {allowed}.'],
  },
  'precondition.failed': {
    status: 412,
    en: ['Changed meanwhile', 'What is stored is not what the request expects. Read it again, then decide.'],
    fr: ['Modifié entre-temps', "Ce qui est enregistré n'est pas ce que la requête attend. Relisez-le, puis décidez."],
  },
  'server.failure': {
    status: 500,
    en: ['Server failure', 'Something went wrong on our side. Quote the request id to the operator.'],
    fr: ['Erreur du serveur', "Une erreur s'est produite de notre côté. Citez l'identifiant de requête à l'exploitant."],
  },
  'server.busy': {
    status: 503,
    en: ['Busy', 'The server has too much of this work under way. Try again in {seconds} seconds.'],
    fr: ['Occupé', 'Le serveur a trop de travaux de ce genre en cours. Réessayez dans {seconds} secondes.'],
  },
  'server.unavailable': {
    status: 503,
    en: ['Temporarily unavailable', 'The database cannot be reached. Try again in a few seconds.'],
    fr: ['Momentanément indisponible', 'La base de données est injoignable. Réessayez dans quelques secondes.'],
  },
});
