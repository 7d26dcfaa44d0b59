/** A postal code of a card's billing address, in one or two groups: `94103`, `94103-1234`, `SW1A 1AA`. */
export const ZIP = /^[a-z0-9][a-z0-9 -]{1,8}[a-z0-9]$/i
export const MAX_ZIP_LENGTH = 10
/** The street of a card's billing address: as much as the gateway takes. */
export const MAX_ADDRESS_LENGTH = 60
