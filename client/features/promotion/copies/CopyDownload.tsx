import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Copy, makeCopy } from './api.ts'
import { copyTexts as texts } from './texts.ts'

/** Milliseconds after which a person is told that a copy takes a while. */
const SOON_MS = 2000

type CopyDownloadProps = { postId: string; subreddit: string; title: string; accountId: string | null }

/** A menu that downloads what a post shows, for uploading it on the forum by hand. */
export function CopyDownload({ postId, subreddit, title, accountId }: CopyDownloadProps) {
  const waiting = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    waiting.current = controller
    return () => controller.abort()
  }, [])
  const copy = useMutation({
    mutationFn: async (kind: Copy['kind'] | undefined) => {
      const { signal } = waiting.current
      const telling = setTimeout(() => toast.success(texts.making), SOON_MS)
      try {
        return await makeCopy({ postId, subreddit, kind, accountId: accountId ?? undefined }, signal)
      } finally {
        clearTimeout(telling)
      }
    },
    onSuccess: (made) => {
      if (waiting.current.signal.aborted) return
      if (made) save(made, subreddit)
      else toast.failure(texts.late)
    },
    onError: (error) => {
      if (!waiting.current.signal.aborted) toast.failure(errorMessage(error))
    },
  })
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          loading={copy.isPending}
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          aria-label={texts.buttonOf(title, subreddit)}
        >
          {texts.button}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy.mutate(undefined)}>{texts.choices.wanted(subreddit)}</Menu.Item>
        <Menu.Item onClick={() => copy.mutate('named')}>{texts.choices.named}</Menu.Item>
        <Menu.Item onClick={() => copy.mutate('clean')}>{texts.choices.clean}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Begins the download, and says what was made, also where that isn’t what the subreddit asks for. */
function save({ path, fileName, kind, wanted, account }: Copy, subreddit: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = fileName
  link.click()
  const made = account === null ? texts.saved.clean : texts.saved.named(account)
  if (wanted === null || wanted === kind) toast.success(made)
  else toast.note(`${made} ${texts.notWanted[wanted](subreddit)}`)
}
