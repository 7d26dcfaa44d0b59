import { useState } from 'react'
import SessionEnded from '../../features/identity/login/SessionEnded.tsx'
import { wouldLose } from '../../lib/unsaved.ts'
import LogOutQuestion from './LogOutQuestion.tsx'
import { useLogOut } from './navigation.ts'

/** Asks for the login over a page whose session ended elsewhere; the only other way out is to log out. */
export default function EndedSession() {
  const logOut = useLogOut()
  const [asked, setAsked] = useState(false)
  return (
    <>
      <SessionEnded onLogOut={() => (wouldLose() ? setAsked(true) : void logOut())} />
      <LogOutQuestion opened={asked} onClose={() => setAsked(false)} />
    </>
  )
}
