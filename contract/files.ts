/** Where a person's profile picture or hero is served: to whom the profile is there, always the same under its address. Null when there is none. */
export function profileImageAddress(userId: string, name: string | null): string | null {
  return name === null ? null : `/files/profile/${userId}/${name}`
}
