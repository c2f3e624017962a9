export { AccountReader, type Visitor } from './account/account-reader.service.js';
export { returnPathOf, signInPath } from './account/return-paths.js';
export { type PageCookie, pageCookie, pageCookieIn } from './forms/cookies.js';
export {
  type Choice,
  type Field,
  CheckboxField,
  Fault,
  FaultSummary,
  faulty,
  fieldClass,
  InputField,
  Notice,
  OptionalMark,
  SelectField,
  TextareaField,
} from './forms/form-fields.js';
export { reader, valuesOf } from './forms/form-values.js';
export { LookAgain, lookingAgain } from './forms/look-again.js';
export { asksProvider, isPaying, lookOf } from './forms/payment-looks.js';
export { Address, addressLine, AddressLines, MapLink, placeLine, worldAddressLine } from './frame/address-words.js';
export { descriptionHtml, descriptionText, excerpt } from './frame/description.js';
export {
  gatheringPolicy,
  hasAgenda,
  hasPages,
  isNetwork,
  pagePolicy,
  pageTenant,
  personalReply,
  problemPolicy,
  publicReply,
  withSearch,
} from './answers/page-answer.js';
export { heldCookie, heldOrder, type HeldOrder, heldWords } from './answers/held.js';
export { pageDocument } from './frame/page-frame.js';
export { type PageSummary } from './frame/page-head.js';
export { houseTitle, pageWords } from './frame/pages.words.js';
export { Gallery, Picture } from './frame/pictures.js';
export { withoutControls } from './frame/plain-text.js';
export { isForFrame, sitesOf } from './frame/sites.js';
export { type Venue } from './frame/venue.js';
export { isWebPage, mailLink, phoneLink, VenueHelp, venueLinks, websiteLink } from './frame/venue-contact.js';
export { WayBack } from './frame/way-back.js';
export { CartLinks } from './links/cart-links.js';
export { DemoLink } from './links/demo-link.js';
export { OrderLinks } from './links/order-links.js';
export { PrivacyLink } from './links/privacy-link.js';
export { ShareLinks } from './links/share-links.js';
export { PageKitModule } from './page-kit.module.js';
export { fitsLargeDate, LargeDate } from './words/date-large.js';
export { pageInLook } from './style/page-in-look.js';
export { kindSheets } from './style/page-sheets.js';
export { PassScript } from './style/pass-script.js';
export { Pattern } from './style/pattern.js';
export { DoorsNote, Hours, leafWords, monthWords, newlyTold, When } from './words/event-times.js';
export { type PriceRange, amountWords, priceRangeWords, priceWords } from './words/price-words.js';
