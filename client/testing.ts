import { notifications } from '@mantine/notifications'
import { configure } from '@testing-library/react'
import { vi } from 'vitest'

// How long a test waits for what comes by itself decides nothing, in milliseconds.
configure({ asyncUtilTimeout: 20_000 })

// Files run one after the other in one document with the same packages: what these keep begins anew with each file, and
// so do our own modules.
vi.resetModules()
vi.unstubAllGlobals()
vi.useRealTimers()
notifications.clean()
notifications.cleanQueue()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
document.head.replaceChildren()
document.body.replaceChildren()
