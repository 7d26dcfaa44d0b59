/** Who is acting: made from the session only, never from what a call says (decisions §3). */
export type Viewer = {
  id: string
  sessionId: string
  username: string
  email: string
  emailVerified: boolean
  isCreator: boolean
  role: 'superadmin' | null
  ageConfirmed: boolean
  ageApproved: boolean
  /** Known of superadmins only, whom it may be required of. */
  secondFactor: boolean
}

/**
 * What signed media links are bound to: `s.<session id>` or `v.<visit id>`, the value of the companion cookie that
 * only this browser holds, so that a link handed to anybody else opens nothing.
 */
export type Companion = { key: string }
