import { IconShare2 } from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/core/Button.tsx'
import { toast } from '../../ui/toast.ts'
import type { Profile } from './api.ts'
import styles from './ShareButton.module.css'
import { shareTexts } from './texts.ts'

/** Hands on the address of a profile: by the device's own sheet, or copied where there is none. */
export function ShareButton({ profile }: { profile: Pick<Profile, 'username' | 'firstName'> }) {
  const share = async () => {
    const url = new URL(paths.profile(profile.username), location.origin).href
    try {
      if (navigator.share) return await navigator.share({ title: profile.firstName || profile.username, url })
      await navigator.clipboard.writeText(url)
      toast.success(shareTexts.copied)
    } catch (failure) {
      // The sheet was closed without a choice.
      if (failure instanceof DOMException && failure.name === 'AbortError') return
      toast.failure(shareTexts.failed(url))
    }
  }
  return (
    <Button
      variant="default"
      className={styles.share}
      aria-label={shareTexts.share}
      title={shareTexts.share}
      onClick={() => void share()}
    >
      <IconShare2 size={20} stroke={1.75} aria-hidden />
    </Button>
  )
}
