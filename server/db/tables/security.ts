import type { Generated } from 'kysely'

/** Password resets, second factors and re-authentication. Owned by the identity domain. */
export type SecurityTables = {
  password_resets: {
    token_hash: Buffer
    user_id: string
    created_at: Date
    expires_at: Date
  }
  totp_secrets: {
    user_id: string
    sealed_secret: Buffer
    last_step: Generated<number>
    created_at: Date
    confirmed_at: Date | null
  }
  passkeys: {
    id: Generated<string>
    user_id: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    name: string
    created_at: Date
    last_used_at: Date | null
  }
  recovery_codes: {
    user_id: string
    code_hash: string
  }
  authentication_challenges: {
    id: Generated<string>
    purpose: 'login' | 'reauthenticate' | 'add-passkey'
    user_id: string | null
    passkey_challenge: string
    created_at: Date
    expires_at: Date
  }
  authentication_attempts: {
    id: Generated<string>
    user_id: string
    made_at: Date
    /** The origin of the attempt: an unknown device, a known one, or a session. */
    source: Generated<string>
  }
}
