import { z } from 'zod'
import { route } from '../../route.ts'
import { Success } from '../../schemas.ts'
import { Email, Message, Password, TypedPassword } from './account.ts'

const ResetToken = z.string().min(1).max(200)

export const passwordRoutes = {
  requestReset: route({
    method: 'POST',
    path: '/auth/reset',
    summary:
      'Emails a password reset link if the address has an account. The answer is the same if it doesn’t.',
    access: 'public',
    restricted: 'allowed',
    rateLimit: { points: 10, seconds: 600 },
    body: z.object({ email: Email }),
    output: Message,
  }),
  checkResetToken: route({
    method: 'POST',
    path: '/auth/resettoken',
    summary: 'Checks whether the link of a password reset email still works.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: z.object({ userId: z.string().max(60), token: ResetToken }),
    output: Success,
  }),
  updatePassword: route({
    method: 'POST',
    path: '/auth/updatepassword',
    summary: 'Sets a new password with the single-use link of a reset email, and ends every session.',
    access: 'public',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ userId: z.string().max(60), token: ResetToken, password: Password }),
    output: Message,
  }),
  changePassword: route({
    method: 'POST',
    path: '/users/changepassword',
    summary: 'Changes the caller’s password and ends every other session.',
    access: 'user',
    restricted: 'allowed',
    transaction: 'manual',
    rateLimit: { points: 20, seconds: 600 },
    body: z.object({ currentPassword: TypedPassword, password: Password }),
    output: Message,
  }),
}
