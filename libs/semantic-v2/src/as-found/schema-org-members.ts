/**
 * The names of the properties that schema.org (release 30.0, pending and superseded ones included) has for events and for what they
 * consist of: places, addresses, offers, people, organisations, audiences, quantities, creative works.
 */
const names = `
  about abstract acceptedPaymentMethod acceptsReservations accessCode accessMode accessModeSufficient accessibilityAPI
  accessibilityControl accessibilityFeature accessibilityHazard accessibilitySummary accommodationCategory accommodationFloorPlan
  accountablePerson acquireLicensePage actionableFeedbackPolicy actor actors addOn additionalName additionalProperty additionalType
  address addressCountry addressLocality addressRegion advanceBookingRequirement affiliation agentInteractionStatistic aggregateRating
  album albums alternateName alternativeHeadline alumni alumniOf amenityFeature applicableCountry appliesToDeliveryMethod
  appliesToPaymentMethod archiveHeld archivedAt area areaServed asin assesses associatedMedia athlete attendee attendees audience
  audienceType audio author availability availabilityEnds availabilityStarts availableAtOrFrom availableDeliveryMethod availableFrom
  availableLanguage availableService availableTest availableThrough award awards awayTeam bed billingDuration billingIncrement
  billingStart birthDate birthPlace boardingPolicy box branchCode branchOf brand broadcastOfEvent businessFunction callSign carrier
  category character checkinTime checkoutPageURLTemplate checkoutTime childMaxAge childMinAge children circle citation coach colleague
  colleagues comment commentCount commentText commentTime companyRegistration competitor composer conditionsOfAccess contactOption
  contactPoint contactPoints contactType containedIn containedInPlace containsPlace contentLocation contentRating contentReferenceTime
  contributor copyrightHolder copyrightNotice copyrightYear correction correctionsPolicy countryOfOrigin courseMode courseSchedule
  courseWorkload creativeWorkStatus creator creditText currenciesAccepted customerRemorseReturnFees customerRemorseReturnLabelSource
  customerRemorseReturnShippingFeesAmount datasetTimeInterval dateCreated dateModified datePublished deathDate deathPlace deliveryLeadTime
  department description diagnosis digitalSourceType director directors disambiguatingDescription discusses discussionUrl displayLocation
  dissolutionDate diversityPolicy diversityStaffingReport doorTime drug duns duration editEIDR editor educationalAlignment
  educationalLevel educationalRole educationalUse elevation eligibleCustomerType eligibleDuration eligibleQuantity eligibleRegion
  eligibleTransactionVolume email employee employees encoding encodingFormat encodings endDate ethicsPolicy event eventAttendanceMode
  eventSchedule eventStatus events exampleOfWork expires extendedAddress familyName faxNumber feesAndCommissionsSpecification fileFormat
  floorLevel floorSize follows founder founders foundingDate foundingLocation free funder funding gender genre geo geoContains
  geoCoveredBy geoCovers geoCrosses geoDisjoint geoEquals geoIntersects geoMidpoint geoOverlaps geoRadius geoTouches geoWithin
  geographicArea givenName globalLocationNumber gtin gtin12 gtin13 gtin14 gtin8 hasAdultConsideration hasCertification hasCredential
  hasDeliveryMethod hasDriveThroughService hasGS1DigitalLink hasMap hasMeasurement hasMemberProgram hasMenu hasMerchantReturnPolicy
  hasOccupation hasOfferCatalog hasPOS hasPart hasParticipationOffer hasProductReturnPolicy hasShippingService hasSponsorshipOffer
  hasStore headline healthCondition healthPlanNetworkId healthcareReportingData height highPrice homeLocation homeTeam honorificPrefix
  honorificSuffix hospitalAffiliation hoursAvailable iataCode icaoCode identifier image inLanguage inStoreReturnsOffered
  includesAttraction includesObject ineligibleRegion instructor interactionCount interactionStatistic interactivityType interpretedAsClaim
  inventoryLevel isAcceptingNewPatients isAccessibleForFree isBasedOn isBasedOnUrl isFamilyFriendly isLiveBroadcast isPartOf isStoreOn
  isicV4 iso6523Code itemCondition itemDefectReturnFees itemDefectReturnLabelSource itemDefectReturnShippingFeesAmount itemOffered
  jobTitle keywords knows knowsAbout knowsLanguage language latitude learningResourceType leaseLength legalAddress legalName
  legalRepresentative leiCode license lifeEvent line location locationCreated logo longitude lowPrice mainEntity mainEntityOfPage
  maintainer makesOffer map maps marginOfError masthead material materialExtent maxPrice maxValue maximumAttendeeCapacity
  maximumPhysicalAttendeeCapacity maximumVirtualAttendeeCapacity measuredProperty measurementDenominator measurementMethod
  measurementQualifier measurementTechnique medicalSpecialty member memberOf members membershipPointsEarned mentions menu merchant
  merchantReturnDays merchantReturnLink minPrice minValue missionCoveragePrioritiesPolicy mobileUrl mpn musicGroupMember naics name
  nationality netWorth noBylinesPolicy nonprofitStatus numberOfAccommodationUnits numberOfAvailableAccommodationUnits
  numberOfBathroomsTotal numberOfBedrooms numberOfEmployees numberOfFullBathrooms numberOfPartialBathrooms numberOfRooms observationAbout
  observationDate observationPeriod occupancy occupationalCategory offerCount offeredBy offers openingHours openingHoursSpecification
  organizer owner ownershipFundingInfo owns parent parentOrganization parents pattern paymentAccepted performer performerIn performers
  permittedUsage petsAllowed photo photos polygon position postOfficeBoxNumber postalCode postalCodePrefix postalCodeRange potentialAction
  practicesAt previousStartDate price priceComponent priceComponentType priceCurrency priceRange priceSpecification priceType
  priceValidUntil producer productReturnDays productReturnLink productSupported pronouns propertyID provider publicAccess publication
  publishedBy publishedOn publisher publisherImprint publishingPrinciples recordedAt recordedIn referee referenceQuantity refundType
  relatedTo releasedEvent remainingAttendeeCapacity replyToUrl requiredGender requiredMaxAge requiredMinAge restockingFee returnFees
  returnLabelSource returnMethod returnPolicyCategory returnPolicyCountry returnPolicySeasonalOverride returnShippingFeesAmount review
  reviews sameAs schemaVersion screenCount sdDatePublished sdLicense sdPublisher seeks seller serialNumber servesCuisine serviceArea
  serviceAudience shippingDetails sibling siblings size skills sku slogan smokingAllowed sourceOrganization spatial spatialCoverage
  specialOpeningHoursSpecification sponsor sport spouse starRating startDate streetAddress subEvent subEvents subOrganization subjectOf
  subtitleLanguage suggestedAge suggestedGender suggestedMaxAge suggestedMeasurement suggestedMinAge superEvent taxID teaches telephone
  temporal temporalCoverage text thumbnail thumbnailUrl tickerSymbol timeRequired tourBookingPage touristType track tracks
  translationOfWork translator typicalAgeRange unitCode unitText unnamedSourcesPolicy url usNPI usageInfo validForMemberTier validFrom
  validThrough value valueAddedTaxIncluded valueReference variableMeasured vatID vendor verificationFactCheckingPolicy version video
  videoFormat warranty warrantyPromise weight wordCount workExample workFeatured workLocation workPerformed workPresented workTranslation
  worksFor yearBuilt yearlyRevenue yearsInOperation
`;

const known = new Set(names.split(/\s+/).filter(Boolean));

/** Whether schema.org has a property with this name for an event or a part of it, in whatever of these it stands. */
export function isSchemaOrgMember(name: string): boolean {
  return known.has(name);
}
