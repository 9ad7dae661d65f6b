"""An echo server of PyPI's `websockets` or `aiohttp`: nothing of it was written for Stentor.

    echo_server.py websockets|aiohttp [CERTIFICATE KEY]

Listens on a free port of 127.0.0.1, prints `listening on URL`, and ends at SIGTERM.
"""
import asyncio, signal, ssl, sys

LIMIT = 64 * 2**20


def context(files):
    if not files:
        return None
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*files)
    return tls


async def with_websockets(tls):
    from websockets.asyncio.server import serve

    async def echo(ws):
        async for message in ws:
            await ws.send(message)

    server = await serve(echo, "127.0.0.1", 0, ssl=tls, max_size=LIMIT, compression=None)
    return server.sockets[0].getsockname()[1]


async def with_aiohttp(tls):
    from aiohttp import WSMsgType, web

    async def echo(request):
        ws = web.WebSocketResponse(max_msg_size=LIMIT, compress=False)
        await ws.prepare(request)
        async for message in ws:
            if message.type is WSMsgType.TEXT:
                await ws.send_str(message.data)
            elif message.type is WSMsgType.BINARY:
                await ws.send_bytes(message.data)
        return ws

    app = web.Application()
    app.router.add_get("/{path:.*}", echo)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    return site._server.sockets[0].getsockname()[1]


async def main(kind, *files):
    tls = context(files)
    port = await {"websockets": with_websockets, "aiohttp": with_aiohttp}[kind](tls)
    print(f"listening on {'wss' if tls else 'ws'}://127.0.0.1:{port}/", flush=True)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()


asyncio.run(main(*sys.argv[1:]))
