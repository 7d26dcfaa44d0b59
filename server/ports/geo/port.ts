/** Where a visitor is, as far as the trusted edge header or the local database knows. Never asks a third party. */
export type Place = {
  /** ISO 3166-1 alpha-2, upper case, or null when unknown. */
  country: string | null
  /** Full name of the first subdivision (`Texas`), or null when unknown. */
  region: string | null
}
export type Geo = {
  locate(request: { ip: string; header: (name: string) => string | undefined }): Place
}
