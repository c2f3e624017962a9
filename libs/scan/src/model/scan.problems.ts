import { decorateProblems } from '#http';
import { defineProblems, type ProblemBody } from '#kernel';

export const problem = defineProblems({
  'qrcode.missing': {
    status: 400,
    en: ['QR code missing', 'Send the scanned string as qrcode_data.'],
    fr: ['Code QR absent', 'Envoyez la chaîne scannée dans qrcode_data.'],
  },
  'qrcode.malformed': {
    status: 400,
    en: ['Not a ticket code', 'The scanned string is not a ticket code: expected <BASE64_DATA>:<SIGNATURE>.'],
    fr: ["Ce n'est pas un code de billet", "La chaîne scannée n'est pas un code de billet : <BASE64_DATA>:<SIGNATURE> attendu."],
  },
  'qrcode.forged': {
    status: 400,
    en: ['Signature does not fit', 'This code was not issued here: its signature does not fit.'],
    fr: ['Signature fausse', "Ce code n'a pas été émis ici : sa signature est fausse."],
  },
  'qrcode.revoked': {
    status: 400,
    en: ['Code replaced', 'This code counts no more: the venue replaced it. The newest mail with the tickets has the code that does.'],
    fr: ['Code remplacé', "Ce code n'est plus valable : le lieu l'a remplacé. Le dernier message avec les billets contient le bon."],
  },
  'scan.unknown': {
    status: 404,
    en: ['Scan unknown', 'This device made no accepted scan with this scan_id.'],
    fr: ['Scan inconnu', "Cet appareil n'a fait aucun scan accepté avec ce scan_id."],
  },
  'scan.id_reused': {
    status: 422,
    en: ['scan_id reused', 'This scan_id was used for another request. Make a new UUID for each attempt.'],
    fr: ['scan_id réutilisé', 'Ce scan_id a servi à une autre requête. Créez un nouvel UUID à chaque tentative.'],
  },
  'device.permission': {
    status: 403,
    en: ['Not allowed for this device', 'This device may not search tickets. Staff allow it in the panel, on the page of the device.'],
    fr: [
      'Non autorisé pour cet appareil',
      "Cet appareil ne peut pas chercher de billets. L'équipe l'autorise dans l'administration, sur la page de l'appareil.",
    ],
  },
  'scan.busy': {
    status: 503,
    en: ['Too many scans at once', 'This ticket is being scanned by many devices at once. Try again.'],
    fr: ['Trop de scans à la fois', 'Ce billet est scanné par de nombreux appareils à la fois. Réessayez.'],
  },
  'pairing.unknown': {
    status: 404,
    en: ['Pairing code unknown', 'This pairing code is not known here. Ask the staff for a new one.'],
    fr: ["Code d'appairage inconnu", "Ce code d'appairage n'est pas connu ici. Demandez-en un nouveau."],
  },
  'pairing.spent': {
    status: 410,
    en: ['Pairing code used', 'This pairing code was used already. Ask the staff to renew it.'],
    fr: ["Code d'appairage utilisé", "Ce code d'appairage a déjà servi. Demandez à l'équipe de le renouveler."],
  },
  'pairing.expired': {
    status: 410,
    en: ['Pairing code expired', 'This pairing code has expired. Ask the staff to renew it.'],
    fr: ["Code d'appairage expiré", "Ce code d'appairage a expiré. Demandez à l'équipe de le renouveler."],
  },
  'pairing.not_a_device': {
    status: 403,
    en: [
      'For scanning devices',
      'This address pairs a scanning device. Read it with the scanning application; previews and browsers do not spend it.',
    ],
    fr: [
      'Pour les appareils de contrôle',
      "Cette adresse appaire un appareil de contrôle. Lisez-la avec l'application ; aperçus et navigateurs ne la consomment pas.",
    ],
  },
});

/** docs/decisions.md, section 2: devices read one shape for success and failure. */
export function withScanMembers(body: ProblemBody): ProblemBody {
  return { success: false, message: body.detail, reason: body.code.slice(body.code.indexOf('.') + 1), ...body };
}

decorateProblems('/scan', withScanMembers);
