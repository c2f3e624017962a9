/** What a place publishes about itself, its sales and the data of its guests. */
interface Legal {
  readonly imprint: string;
  readonly terms: string;
  readonly privacy: string;
}

export const venueLegal: Legal = {
  imprint:
    '<h2>The Tin Heron</h2><p>An association under the law of 1901, 14 quai des Ferblantiers, 44200 Nantes, ' +
    'France.</p><p>Responsible for these pages: Maud Rivière. Telephone +33 2 61 91 44 20, hello@tin-heron.example.</p>',
  terms:
    '<h2>Tickets</h2><p>A ticket is valid for one person and one evening. You may give it to somebody else from its page ' +
    'until the doors open.</p><h2>Cancelling</h2><p>You may cancel on the page of your ticket until the time that it ' +
    'names. When we cancel or move an evening, you get your money back without asking.</p><h2>At the ' +
    'door</h2><p>Reservations that are paid at the venue are kept until the start.</p>',
  privacy:
    '<h2>What we keep</h2><p>Your name, your e-mail address and what you booked, to let you in and to write to you about ' +
    'that evening. Invoices are kept for ten years, because the law asks for it; everything else is erased after a ' +
    'year.</p><h2>What you may ask</h2><p>On the page of your account you can see, download and erase your data. Write to ' +
    'hello@tin-heron.example for everything else. These pages set no cookies but those of your order.</p>',
};

export const festivalLegal: Legal = {
  imprint:
    '<h2>Lucioles &amp; Accordéons</h2><p>Association loi 1901, 2 montée des Mariniers-du-Lac, 26000 Valence.</p><p>Directrice ' +
    'de la publication : Inès Fontanel. Téléphone +33 4 65 71 25 10, bonjour@lucioles.example.</p>',
  terms:
    '<h2>Billets</h2><p>Un billet vaut pour une personne. Vous pouvez le transmettre depuis sa page jusqu’à l’ouverture ' +
    'des portes.</p><h2>Annulation</h2><p>Si une soirée est annulée ou reportée, vous êtes remboursé sans rien demander. ' +
    'En cas d’orage, la soirée a lieu sous la halle.</p>',
  privacy:
    '<h2>Ce que nous gardons</h2><p>Votre nom, votre adresse e-mail et vos réservations, pour vous accueillir et vous ' +
    'écrire au sujet de la soirée. Tout est effacé après un an, sauf les factures, que la loi demande de ' +
    'garder.</p><h2>Vos droits</h2><p>La page de votre compte permet de voir, télécharger et effacer vos données. Pour le ' +
    'reste : bonjour@lucioles.example.</p>',
};

/** Of the agenda of all venues, where people open a place of their own. */
export const agendaLegal: Legal = {
  imprint: '<h2>All venues</h2><p>This is a demonstration: venues, events and people on these pages are invented.</p>',
  terms:
    '<h2>Your place</h2><p>A place of the demonstration costs nothing and may be deleted at any time. You answer for what ' +
    'you publish, and you sell your tickets in your own name.</p><h2>Your guests</h2><p>The data of your guests are ' +
    'yours. We keep them for you and use them for nothing else.</p>',
  privacy:
    '<h2>What we keep</h2><p>Of those who open a place: their e-mail address, a password that nobody can read, and when ' +
    'they signed in. What guests leave with a venue is said on the pages of the venue.</p>',
};

export const producerLegal: Legal = {
  imprint:
    '<h2>Three Magpies Touring Ltd</h2><p>Unit 7, Pinmakers Yard, Bristol BS2 0ZZ, United Kingdom. Telephone +44 117 496 ' +
    '0123, office@three-magpies.example.</p>',
  terms: '<h2>Tickets</h2><p>We announce the tour. The places that put us up sell the tickets, on their own terms.</p>',
  privacy:
    '<h2>What we keep</h2><p>Nothing, unless you follow us by mail: then your address, until you unsubscribe with the link ' +
    'in each mail.</p>',
};
