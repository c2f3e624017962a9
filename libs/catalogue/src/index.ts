export {
  productCategories,
  type ProductCategory,
  productKinds,
  isKindSql,
  eventCategories,
  type EventCategory,
  cutOffPolicies,
  entryRules,
  eventSchemaTypes,
  kindredSchemaTypes,
  eventAlterations,
  type EventAlteration,
  vatRates,
  vatRateSql,
  vatOf,
  subscriptionTypes,
  type SubscriptionType,
} from './values/catalogue-codes.js';
export { vatChoices } from './values/vat-choices.js';
export * from './catalogue.module.js';
export * from './values/event-details.js';
export * from './event-data/alteration-words.js';
export { eventStatusOf, schemaOrgAddress, toOptionValue, toSchemaOrgAddress, toSchemaOrgEvent } from './event-data/event.dto.js';
export {
  eventTypes,
  eventCategoryLabels,
  eventStatuses,
  answeredStatus,
  GeoCoordinates,
  PostalAddressAnswer,
  EventOptionAnswer,
  eventExample,
  EventAnswer,
} from './event-data/schema-org-answers.dto.js';
export { PublicEventMembers, eventTextMembers, toPublicMembers } from './event-data/public-event-members.dto.js';
export * from './event-data/public-event.js';
export { type Doors, doorsText, eventTimeText, practicalFacts, eventLines, calendarLines } from './event-data/public-event-words.js';
export { PublicEventColumns } from './entities/public-event-columns.js';
export * from './event-data/event-preview-links.service.js';
export { Event, eventTexts } from './entities/event.entity.js';
export { EventsService } from './events/events.service.js';
export type { EventChange, NewEvent } from './events/event-change.js';
export { EventCopiesService, type EventStep } from './copies/event-copies.service.js';
export { isClock, type SeriesDates, seriesSteps } from './series/series-dates.js';
export { EventSeries } from './entities/event-series.entity.js';
export { eventBefore } from './event-queries/first-event.js';
export { unpublishedDateSql } from './event-queries/series-rows.js';
export { atClocks } from './series/date-clocks.js';
export { SeriesService, type DateChange, type MadeSeries } from './series/series.service.js';
export { ProductCopiesService, type ProductCopy } from './copies/product-copies.service.js';
export * from './event-queries/event-end.js';
export * from './event-queries/pass-dates.js';
export * from './event-queries/event-publicity.js';
export * from './entities/event-option.entity.js';
export * from './events/event-options.service.js';
export { StartMoves } from './events/start-moves.js';
export { EventProjections } from './event-queries/event-projections.js';
export { mayOpen } from './events/event-times.js';
export { eventProblem } from './events/events.problems.js';
export { RefusedEvent } from './events/event-rules.js';
export { tagKey } from './events/event-words.js';
export type { EventQuery } from './event-queries/event-search.js';
export { cleanHtml, plainText } from './values/event-text.js';
export { lastChangeOf, loadWhole, type WholeEvent } from './event-data/whole-event.js';
export {
  variantWidths,
  type VariantName,
  variantNames,
  type ImageFormat,
  type ImageKind,
  imagePath,
  imageVariations,
  variantOfFile,
} from './images/image-addresses.js';
export type { PreparedImage } from './images/image-encoding.js';
export { ImageFetcher } from './images/image-fetcher.js';
export { Image } from './images/image.entity.js';
export { imageReply } from './images/images.controller.js';
export { problem as imageProblem } from './images/images.problems.js';
export { GalleriesService, type GalleryImage, gallerySql, mostGalleryPictures } from './galleries/galleries.service.js';
export { ImagesService } from './images/images.service.js';
export type { Pictures } from './images/pictures.js';
export * from './entities/postal-address.entity.js';
export { isPlaceKnown, type PlaceOfEvent } from './addresses/event-places.js';
export { mapAddress, type PlaceOnMap } from './addresses/map-address.js';
export * from './addresses/postal-addresses.service.js';
export * from './values/price-amounts.js';
export * from './entities/price.entity.js';
export * from './products/prices.service.js';
export * from './entities/product.entity.js';
export { saleableCategories } from './values/product-module.js';
export { productProblem } from './products/products.problems.js';
export { isShownSql, nextSaleChangeSql, saleStateSql, type SaleState } from './products/sale-window.js';
export { nameVolunteering, soldForEventsSql, takesVolunteersSql } from './products/volunteering.js';
export type { WholeProduct } from './products/whole-product.js';
export { type NewProduct, type NewWholeProduct, type ProductChange, ProductsService } from './products/products.service.js';
export { type NewQuestion, questionLimits, answerLimits, isQuestionName, hasChoices } from './questions/question-rules.js';
export * from './entities/question.entity.js';
export { loadQuestions, QuestionsService } from './questions/questions.service.js';
export { productTexts, priceTexts, addressTexts } from './values/text-limits.js';
export { RefusedProduct } from './products/product-rules.js';
