import StentorBase

// One timer per socket and one per device serve their earliest needs: a machine with 20,000 devices has no timer per reply.
extension HermesMachine {
    /// Does what is due on a socket.
    mutating func socketDue(_ index: Int, at now: Instant) {
        sockets[index].line.woken()
        if sockets[index].phaseDeadline <= now {
            sockets[index].phaseDeadline = .distantFuture
            if sockets[index].phase == .greeting {
                violation(index, "hello_late", "nothing in \(Quantity.text(options.helloTimeout))")
                close(index, 1008, "no hello")
            } else if sockets[index].phase == .settling {
                becomeReady(index, at: now)
            }
        }
        sockets[index].line.runDue(index, options, &tally, &output, at: now)
        arm(socket: index)
    }

    /// Notes that the answer to a ping came.
    mutating func pong(_ index: Int) {
        sockets[index].line.pong()
    }

    /// Asks to be woken for a socket unless an earlier request stands.
    mutating func arm(socket index: Int) {
        sockets[index].line.arm(index, sockets[index].need, &output)
    }

    // MARK: Devices

    /// Does what is due for a device.
    mutating func deviceDue(_ index: Int, at now: Instant) {
        let device = devices[index]
        device.armed = .distantFuture
        expireCards(of: device, at: now)
        for upload in device.uploads where upload.deadline <= now { drop(upload, of: device, "timeout") }
        if device.promptAt <= now, let every = options.promptEvery {
            device.promptAt = now + every
            let kind = options.promptKinds[random.integer(in: 0...options.promptKinds.count - 1)]
            offer(kind, to: device, at: now)
        }
        if device.photoAt <= now, let every = options.sendPhotoEvery {
            device.photoAt = now + every
            sendPhoto(to: device, bytes: random.integer(in: options.photoBytes))
        }
        settle(device, at: now)
    }

    /// Goes on with a device's turns and asks to be woken for its next need. The last step of every event that concerns a device.
    mutating func settle(_ device: HermesDevice, at now: Instant) {
        advance(device, at: now)
        var need = min(device.promptAt, device.photoAt, device.firstExpiry)
        for upload in device.uploads { need = min(need, upload.deadline) }
        if !isParked(device), let turn = device.lane.need { need = min(need, turn) }
        guard need < device.armed else { return }
        device.armed = need
        output.add(.wakeDevice(device.index, need))
    }

    /// Starts the unasked cards and photos of a device that has come; the first after a random part of the period.
    mutating func startPeriods(of device: HermesDevice, at now: Instant) {
        if let every = options.promptEvery, device.promptAt == .distantFuture {
            device.promptAt = now + random.duration(in: .zero...every)
        }
        if let every = options.sendPhotoEvery, device.photoAt == .distantFuture {
            device.photoAt = now + random.duration(in: .zero...every)
        }
    }
}
