import { useSession } from '../../lib/session.tsx'
import { LoadingScreen } from '../../ui/LoadingScreen.tsx'

/** What the document began with (client/build/first-look.ts). */
const first = document.querySelector('.first-look')

/** Shown until it is known who is here: for somebody logged in, the document's own bar without a visitor's links. */
export function AwaitedShell() {
  const { token } = useSession()
  return (
    <>
      {token && first && <div className="first-awaiting" ref={(place) => place?.append(first)} />}
      <LoadingScreen />
    </>
  )
}
