/** Where a visitor is, as far as the trusted edge header or the local database knows. Never asks a third party. */
export type Place = {
  /** ISO 3166-1 alpha-2, upper case, or null when unknown. */
  country: string | null
  /** Full name of the first subdivision (`Texas`), or null when unknown. */
  region: string | null
}
export type Geo = {
  /** `edgeHeader` reads a header of the trusted edge; null when the request did not come from one. */
  locate(request: { ip: string; edgeHeader: ((name: string) => string | undefined) | null }): Place
}
