/// <reference lib="esnext.disposable" />
